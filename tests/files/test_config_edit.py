import tomllib
from pathlib import Path

import pytest

from memex_core.files.config import load
from memex_core.files.config_edit import edited, set_settings
from memex_core.files.layout import Layout
from memex_core.model.errors import BadInput, Damaged, Refused, WriteFailed

FILE = """\
# my memory
[llm]
model = "llama3.1"   # the small one

[keys]  # how I type
preset = "vim"
"go.pages" = ["ctrl+k", "space space"]  # as in my editor

# whose sessions
[capture]
auto = false
"""


def change(text: str, table: str, **changes: object) -> str:
    return edited(text.encode(), table, changes).decode()  # type: ignore[arg-type]


def test_only_the_value_changes() -> None:
    assert change(FILE, "keys", preset="emacs") == FILE.replace('"vim"', '"emacs"')
    assert change(FILE, "capture", auto=True) == FILE.replace("false", "true")
    out = edited(FILE.encode(), "keys", {"go.pages": ["g p"]}).decode()
    assert out == FILE.replace('["ctrl+k", "space space"]', '["g p"]')


def test_a_new_key_stands_in_its_table_before_the_next_ones_comment() -> None:
    out = edited(FILE.encode(), "keys", {"page.follow": "F"}).decode()
    assert out == FILE.replace("editor\n", 'editor\n"page.follow" = "F"\n')
    assert tomllib.loads(out)["keys"]["page.follow"] == "F"


def test_none_takes_the_line_away() -> None:
    out = edited(FILE.encode(), "keys", {"go.pages": None}).decode()
    assert out == FILE.replace('"go.pages" = ["ctrl+k", "space space"]  # as in my editor\n', "")
    assert edited(FILE.encode(), "keys", {"page.follow": None}) == FILE.encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[editor]\ntab_width = 8\nwrap = false\n"),
        ("# mine", "# mine\n\n[editor]\ntab_width = 8\nwrap = false\n"),
        ("[app]\n", "[app]\n\n[editor]\ntab_width = 8\nwrap = false\n"),
        ("[editor]", "[editor]\ntab_width = 8\nwrap = false\n"),
        ("[editor]\nwrap = true\n[app]\n", "[editor]\nwrap = false\ntab_width = 8\n[app]\n"),
        ("[editor]\n\n[app]\n", "[editor]\ntab_width = 8\nwrap = false\n\n[app]\n"),
    ],
)
def test_a_table_is_made_or_filled(before: str, after: str) -> None:
    assert change(before, "editor", tab_width=8, wrap=False) == after


def test_line_ends_and_mark_stay() -> None:
    data = b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode()
    assert edited(data, "keys", {"preset": "emacs"}) == data.replace(b'"vim"', b'"emacs"')


def test_what_cannot_be_edited_line_by_line_is_refused() -> None:
    for text in (
        'keys = { preset = "vim" }\n',
        'keys.preset = "vim"\n',
        '[keys]\npreset = """\nvim"""\n',
        '[app]\r\n[keys]\npreset = "vim"\n',
        '[app]\nname = """\n[keys]\n"""\nkeys = 1\n',
    ):
        with pytest.raises(Refused, match="line by line"):
            change(text, "keys", preset="emacs")


def test_a_header_inside_a_text_is_no_table() -> None:
    text = "[app]\nname = '''\n[keys]\n'''\n"
    with pytest.raises(Refused):
        change(text, "keys", preset="emacs")


def test_a_broken_file_is_named_with_its_line(store: Layout) -> None:
    Path(store.config).write_text("[keys]\npreset = \n")
    with pytest.raises(Damaged, match="line 2"):
        set_settings(store, "keys", {"preset": "vim"})
    assert Path(store.config).read_text() == "[keys]\npreset = \n"


def test_a_value_of_two_lines_is_refused(store: Layout) -> None:
    with pytest.raises(BadInput):
        set_settings(store, "keys", {"preset": "a\nb"})


def test_it_is_written_and_read_back(store: Layout, vault: Layout) -> None:
    assert set_settings(store, "keys", {"preset": "vim", "page.edit": ["E", "e"]})
    assert not set_settings(store, "keys", {"preset": "vim"})
    config = load(store, {})
    assert (config.keys.preset, config.keys.unknown) == ("vim", {"page.edit": ["E", "e"]})
    assert config.warnings == []
    assert set_settings(vault, "keys", {"preset": "emacs"})  # a bare folder gets its state folder
    assert Path(vault.config).read_text() == '[keys]\npreset = "emacs"\n'


def test_a_folder_in_the_files_place_is_an_error(vault: Layout) -> None:
    Path(vault.config).mkdir(parents=True)
    with pytest.raises(WriteFailed):
        set_settings(vault, "keys", {"preset": "vim"})
