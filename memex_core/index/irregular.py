"""English forms that no suffix rule reaches: ``went`` is found by ``go``, ``mice`` by ``mouse``.

Folded before stemming, in texts and queries alike. Left out on purpose: auxiliaries (they are stop
words) and forms that are commoner words of their own (``left``, ``bit``, ``rose``, ``lay``,
``wound``, ``bound``, ``lives``, ``leaves``, ``bases``, ``media``).
"""

from __future__ import annotations

_FORMS = """
    arise arose arisen; awake awoke awoken; beat beaten; become became; begin began begun; bend bent;
    bite bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought;
    build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came;
    creep crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk;
    drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found;
    flee fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten;
    forgive forgave forgiven; freeze froze frozen; give gave given; go went gone; grow grew grown;
    hang hung; hear heard; hide hid hidden; hold held; keep kept; kneel knelt; know knew known;
    lead led; lean leant; leap leapt; learn learnt; lend lent; light lit; lose lost; make made;
    mean meant; meet met; mistake mistook mistaken; overcome overcame; pay paid; prove proven;
    rebuild rebuilt; rewrite rewrote rewritten; ride rode ridden; ring rang rung; rise risen; run ran;
    see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken; shine shone;
    shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat;
    sleep slept; slide slid; speak spoke spoken; spell spelt; spend spent; spill spilt; spin spun;
    spoil spoilt; stand stood; steal stole stolen; stick stuck; sting stung; strike struck;
    strive strove striven; swear swore sworn; sweep swept; swell swollen; swim swam swum; swing swung;
    take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
    understand understood; undo undid undone; wake woke woken; wear wore worn;
    weave wove woven; weep wept; win won; withdraw withdrew withdrawn; write wrote written;
    child children; man men; woman women; person people; foot feet; tooth teeth; mouse mice;
    goose geese; ox oxen; knife knives; wife wives; half halves; loaf loaves;
    shelf shelves; thief thieves; wolf wolves; calf calves; scarf scarves; self selves; elf elves;
    criterion criteria; phenomenon phenomena; analysis analyses; crisis crises; thesis theses;
    hypothesis hypotheses; index indices; vertex vertices; matrix matrices;
    appendix appendices; curriculum curricula; bacterium bacteria
"""

IRREGULAR: dict[str, str] = {
    form: base
    for base, *forms in (entry.split() for entry in _FORMS.replace("\n", " ").split(";"))
    for form in forms
}
"""Irregular form -> base form, both lower case."""


def forms_of(base: str) -> list[str]:
    """The irregular forms that fold to ``base`` (for finding a stem's spellings in a raw text)."""
    return [form for form, to in IRREGULAR.items() if to == base]
