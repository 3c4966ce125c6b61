"""Names and default looks of everything in the editor; themes change the variables."""

from memex_tui.widgets.scrollbar_look import SCROLLBAR

_WORDS = """
    faint key value comment h1 h2 h3 h4 h5 h6 strong em strike highlight code code-block link target missing
    ambiguous url note tag math quote bullet task task-done done ghost found found-current sign
    evidence context doubtful
"""
NAMES = tuple(_WORDS.split())

CSS = (
    """
ColouredArea {
    border: none;
    padding: 0;
    background: $background;
    color: $foreground 92%;
"""
    + SCROLLBAR
    + """    &:focus { border: none; }
    & .text-area--gutter { color: $foreground 28%; }
    & .text-area--cursor-gutter { color: $text-primary; background: $foreground 4%; text-style: none; }
    & .text-area--cursor-line { background: $foreground 4%; }
    & .text-area--selection { background: $primary 35%; }
    & .text-area--matching-bracket { background: $foreground 22%; }
    & > .ed--faint { color: $foreground 38%; }
    & > .ed--key { color: $text-accent; }
    & > .ed--value { color: $foreground 80%; }
    & > .ed--comment { color: $foreground 45%; text-style: italic; }
    & > .ed--h1 { color: $text-primary; text-style: bold; }
    & > .ed--h2 { color: $text-primary; text-style: bold; }
    & > .ed--h3 { color: $foreground; text-style: bold; }
    & > .ed--h4 { color: $foreground 85%; text-style: bold; }
    & > .ed--h5 { color: $foreground 75%; text-style: bold; }
    & > .ed--h6 { color: $foreground 75%; text-style: bold; }
    & > .ed--strong { text-style: bold; }
    & > .ed--em { text-style: italic; }
    & > .ed--strike { color: $foreground 55%; text-style: strike; }
    & > .ed--highlight { background: $warning 25%; }
    & > .ed--code { color: $text-accent; }
    & > .ed--code-block { color: $foreground 72%; }
    & > .ed--link { color: $text-primary; }
    & > .ed--target { color: $foreground 55%; }
    & > .ed--missing { color: $foreground 60%; text-style: italic; }
    & > .ed--ambiguous { color: $text-warning; }
    & > .ed--url { color: $foreground 55%; text-style: underline; }
    & > .ed--note { color: $text-primary; }
    & > .ed--tag { color: $text-success; }
    & > .ed--math { color: $text-accent; text-style: italic; }
    & > .ed--quote { color: $foreground 75%; }
    & > .ed--bullet { color: $text-primary; }
    & > .ed--task { color: $foreground 60%; }
    & > .ed--task-done { color: $text-success; }
    & > .ed--done { color: $foreground 55%; }
    & > .ed--ghost { color: $text-accent; text-style: underline; }
    & > .ed--found { background: $warning 35%; }
    & > .ed--found-current { background: $warning; color: auto; text-style: bold; }
    & > .ed--sign { color: $text-error; }
    & > .ed--evidence { color: $text-success; text-style: bold; }
    & > .ed--context { color: $text-warning; text-style: bold; }
    & > .ed--doubtful { color: $text-error; text-style: bold; }
    &:nocolor > .ed--found { text-style: reverse; }
    &:nocolor > .ed--found-current { text-style: reverse bold; }
}
"""
)
