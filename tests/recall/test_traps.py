"""Queries as people type them: every punctuation and script finds its page, nothing typed is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recall.conftest import Vault

CASES = [
    # query, what its page says, what another page says that must not be found for it
    ("C++", "The old engine is written in C++ and shell.", "Written in C, by someone else, +1."),
    ("C#", "The plugin is C# of 2019.", "Written in C, the number # 1."),
    ("F#", "A parser in F# for fun.", "The key of F, then F minor."),
    (".NET", "It runs on .NET only.", "Catch it with a net."),
    ("a@b.c", "Write to a@b.c about it.", "Points a, b and c."),
    ("std::map", "Keep them in a std::map there.", "The std header and a map of it."),
    ("node.js", "Served by node.js at home.", "A node of the js bundle."),
    ("v1.2.3", "Since v1.2.3 it holds.", "Since v1.2.30, and 1 2 3 steps."),
    ("POL-358", "The rule is POL-358 now.", "POL has 358 members."),
    ("x=1", "Set x=1 before.", "Let x be 1."),
    ("100%", "Battery at 100% today.", "A hundred, 100 in digits."),
    ("don't", "Please don't press it.", "Do not press, don the hat."),
    ("O'Brien", "Lunch with O'Brien.", "Brien and O."),
    ("http_client.send", "Call http_client.send twice.", "The http client may send it."),
    ("ERR_MODULE_NOT_FOUND", "It said ERR_MODULE_NOT_FOUND again.", "An err, module not found."),
    ("src/app", "Look into src/app first.", "The src of the app."),
    ("10:30", "The train of 10:30 is late.", "Pages 10 to 30."),
    ("--force", "Only with --force it goes.", "By force alone."),
    ("$HOME", "Stored below $HOME then.", "At home."),
    ("#garden-plan", "Tagged #garden-plan here.", "A plan of the garden."),
    ("[[Quay Street]]", "See [[Quay Street]] for it.", "A dock and no road."),
    ("multi-agent", "A multi-agent set-up.", "Agent of many, multi purpose."),
    ("résumé", "Her résumé is long.", "Nothing of the sort."),
    ("→", "Up → down it went.", "An arrow."),
    ("🚀", "Launch 🚀 on Monday.", "Launch 🛰 on Tuesday."),
    ("👩‍🚒", "She is a 👩‍🚒 by day.", "She is a woman."),
    ("🇫🇷", "Made in 🇫🇷 last year.", "Made in 🇩🇪 last year."),
    ("数据", "用户身份验证与数据库设计", "用户与设计"),
    ("象", "大きな象の話", "大きな犬の話"),
    ("東京", "昨日は東京都にいた。", "昨日は京都にいた。"),
    ("itgc", "重跑gen-itgc后50条", "重跑之后"),
    ("ไทย", "นี่คือภาษาไทยง่ายๆ", "นี่คือภาษาอื่น"),
    ("역사", "한국의 역사는 길다.", "한국의 문화는 길다."),
    ("книга", "Это моя книга о море.", "Это моё море."),
    ("مكتبة", "ذهبت إلى مكتبة قديمة.", "ذهبت إلى بيت قديم."),
    ("ספר", "קראתי ספר ארוך.", "קראתי מכתב ארוך."),
    ("βιβλίο", "Ένα βιβλίο για τη θάλασσα.", "Ένα τραγούδι."),
    ("हिन्दी", "यह हिन्दी में है।", "यह अंग्रेज़ी में है।"),
    ("STRASSE", "Die Straße ist gesperrt.", "Der Weg ist frei."),
    ("§", "Nach § 5 gilt das.", "Nach Absatz 5."),
    ('"exactly so"', "Do it exactly so, please.", "So do it, exactly."),
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    vault = Vault(tmp_path_factory.mktemp("traps") / "vault")
    for number, (_, text, decoy) in enumerate(CASES):
        vault.write(f"page-{number}", text)
        vault.write(f"decoy-{number}", decoy)
    return vault


@pytest.mark.parametrize(("number", "query"), [(n, case[0]) for n, case in enumerate(CASES)])
def test_a_query_finds_exactly_the_page_that_holds_it(world: Vault, number: int, query: str) -> None:
    result = world.recall(query, k=50)
    assert [hit["slug"] for hit in result["hits"]] == [f"page-{number}"]
    assert "<mark>" in result["hits"][0]["snippet"]
    assert result["relaxed"] is False
    assert result["corrected"] == {}


@pytest.mark.parametrize(
    "query",
    [
        '"open', 'open"', 'a"b', "'", "''", '""', '"" ""', "(open", "()", "[", "]]", "{", "NOT", "AND", "OR",
        "NOT NOT", "OR OR OR", "a OR", "OR a", "NEAR(", "NEAR(a b, 5)", "*", "**", "a*", "^", "^a", "-", "--",
        "-a", "- a", "+a", "a:b", "title:x", "body : x", "http://x", "foo:bar", "tag:", "after:", "is:",
        "prop:x", "after:never", "in:attic", "a,b", "why?", ";--", "'; DROP TABLE page; --", "\\", "%", "_",
        "a_b", "?", "\t", "\0", "before\0after", "\u202e", "\u200b", "x" * 5000, "x " * 2000, '"' * 301,
        "(" * 300, "OR " * 300, "數" * 500, "é" * 3000, "-tag:x", "NOT tag:x", "links-to:", "links-to:[[]]",
        "path:[", "path:[a-", "path:*", "session:'", 'mentions:"', "prop:=", 'prop:a="', "prop:a.b.c=1",
        "is:orphan|broken|stale|draft",
    ],
)  # fmt: skip
def test_nothing_typed_is_an_error(world: Vault, query: str) -> None:
    result = world.recall(query)
    assert result["query"] == query
    assert isinstance(result["hits"], list)


HALVES = ["a\udce9b", "tag:\udce9", "links-to:\ud800", "path:\udfff*", "prop:a=\udc80"]


@pytest.mark.parametrize("query", HALVES)
def test_half_a_character_is_a_replacement_sign(world: Vault, query: str) -> None:
    """An argument that is no UTF-8 reaches a program with lone surrogates in it."""
    result = world.recall(query)
    assert result["query"] == "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in query)


def test_signs_alone_find_nothing_and_nothing_typed_finds_the_newest(world: Vault) -> None:
    assert world.hits("***") == []
    assert world.hits("()") == []
    assert len(world.hits("", k=7)) == 7
    assert len(world.hits("  \n ", k=7)) == 7


def test_wildcards_of_sql_are_signs(world: Vault) -> None:
    assert world.found("%") == set()
    assert world.found("path:%") == set()
    assert world.found("path:page_1") == set()


def test_a_needle_behind_a_megabyte_of_hay_is_found(vault: Vault) -> None:
    vault.write("big", "hay straw\n" * 110_000 + "the needle at last\n")
    vault.write("small", "hay only")
    hit = vault.hits("needle")[0]
    assert (hit["slug"], hit["line"]) == ("big", 110_001)
    assert "<mark>needle</mark>" in hit["snippet"]


def test_control_characters_divide_and_the_file_stays_as_it_is(vault: Vault) -> None:
    file = vault.root / "odd.md"
    file.write_bytes(b"before\0after needle\x1b[31m red\n")
    assert vault.slugs("needle") == ["odd"]
    assert vault.slugs("after") == ["odd"]
    snippet = vault.hits("needle")[0]["snippet"]
    assert "\0" not in snippet
    assert "\x1b" not in snippet
    assert file.read_bytes() == b"before\0after needle\x1b[31m red\n"


def test_no_row_remains_of_what_was_edited_away_or_deleted(vault: Vault) -> None:
    kept: Path = vault.write("kept", "The heron stands here.")
    gone: Path = vault.write("gone", "Another heron.")
    assert vault.found("heron") == {"kept", "gone"}
    vault.write("kept", "The stork stands here.")
    gone.unlink()
    assert vault.hits("heron") == []
    assert vault.slugs("stork") == ["kept"]
    db = vault.index.db
    assert db.execute("SELECT count(*) FROM page_fts").fetchone() == (1,)
    db.execute("INSERT INTO page_fts(page_fts, rank) VALUES('integrity-check', 1)")
    assert kept.exists()


def test_fewer_hits_asked_are_the_first_of_more(vault: Vault) -> None:
    for number in range(40):
        vault.write(f"n{number:02}", f"common {'rare ' * (number % 4)}filler {'pad ' * number}")
    every = vault.slugs("common rare", k=20)
    assert len(every) == len(set(every)) == 20
    for k in (1, 3, 7, 15):
        assert vault.slugs("common rare", k=k) == every[:k]
    result = vault.recall("common", k=1000)
    assert len({hit["slug"] for hit in result["hits"]}) == result["total_indexed"] == 40
    assert [hit["rank"] for hit in result["hits"]] == list(range(1, 41))
