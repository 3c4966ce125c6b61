"""The analyser: what every script and every kind of identifier becomes, and that queries fit texts."""

import sqlite3

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memex_core.index import analyse as subject
from memex_core.index import chunks
from memex_core.index.analyse import (
    TOKENIZE,
    Analyser,
    Lookup,
    analyse,
    field,
    fields,
    folded,
    query_terms,
    query_tokens,
    whole,
    words,
)

BODIES = [
    ("The children went running", "the child go run"),
    ("don't Caroline's dogs' she'd've", "dont carolin dog she"),
    ("O'Brien l’amour", "o brien l amour"),
    ("http_client.send()", "http client send"),
    ("ERR_MODULE_NOT_FOUND", "err modul not find"),
    ("a@b.c std::map<int> src/app x=1 10:30", "a b c std map int src app x 1 10 30"),
    ("重跑gen-itgc后50条", "重跑 跑 gen itgc 后 50 条 genitgc"),
    ("用户身份", "用户 户身 身份 份"),
    ("역사는 길다", "역사 사는 는 길다 다"),
    ("ภาษา", "ภา าษ ษา า"),
    ("カタカナ ひらがな", "カタ タカ カナ ナ ひら らが がな な"),
    ("हिन्दी", "हिन्दी"),
    ("العَرَبِيَّة", "العربية"),
    ("Café RÉSUMÉ Søn Straße", "cafe resum son strass"),
    ("Ёлка мой", "елка мой"),
    ("→ ∀ 🚀", "→ ∀ 🚀"),
    ("👨‍👩‍👧 👍🏽 ❤️", "👨 👩 👧 👍 ❤"),
    ("🇩🇪🇫🇷", "🇩🇪 🇫🇷"),
    ("€50 1️⃣", "€ 50 1"),
    ("٣٤ ๕", "34 5"),
    ("ﬁne ｆｕｌｌ ｶﾞ", "fine full ガ"),
    ("before\0after", "befor after"),
    ("a\u00a0b x\u2028y", "a b x y"),
    ("\u202egnp wo\u00adrd z\u200dw", "gnp word zw"),
    ("zero\u200bwidth", "zerowidth zero width"),
    ("e-mail mother-in-law", "e mail mother in law email motherinlaw"),
    ("├── tree │ \ufffd — … •", "tree"),
    ("*** --- ||| #", ""),
    ("\ud800 lone", "lone"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "tokens"), BODIES)
def test_body_tokens(text, tokens):
    assert analyse(text) == tokens.split()


def test_humps_of_camel_case_follow_the_text_so_that_phrases_hold():
    assert analyse("I like JavaScript code") == ["i", "like", "javascript", "code", "java", "script"]
    assert analyse("parseHTTPResponse URLs USA iPhone") == [
        "parsehttprespons", "url", "usa", "iphon", "pars", "http", "respons", "phone",
    ]  # fmt: skip


WHOLES = [
    ("http_client.send()", ["http_client.send", "http_client"]),
    ("C++ C# .NET F#", ["c++", "c#", ".net", "f#"]),
    ("C/C++, C++17;", ["c/c++", "c++", "c++17"]),
    ("v1.2.3", ["v1.2.3", "1.2.3", "v1.2"]),
    ("v1.2.3-beta", ["v1.2.3-beta", "1.2.3-beta", "v1.2", "3-beta", "v1.2.3"]),
    ("a@b.c", ["a@b.c", "b.c"]),
    ("100% 50 %", ["100%", "%"]),
    ("#tag @user $HOME --no-count", ["#tag", "@user", "$home", "--no-count"]),
    ("src/app/main.py", ["src/app/main.py", "src/app", "app/main.py", "main.py"]),
    ("~/.memex ./src/a ../b", [".memex", "src/a"]),
    ("std::map<int> (node.js),", ["std::map", "node.js"]),
    ("2024-05-01T10:00", ["2024-05-01t10:00", "2024-05-01", "10:00", "2024-05-01t10", "2024-05"]),
    ("multi-agent O'Brien don't", ["multi-agent", "o'brien", "don't"]),
    ("Café naïve", ["café", "naïve"]),
    ("-> && != | --- ## > % , ...", ["->", "&&", "!=", "%"]),
    ("plain words, only. Here's one!", []),
    ("node.js's", ["node.js"]),
]


@pytest.mark.parametrize(("text", "forms"), WHOLES)
def test_whole_forms(text, forms):
    assert whole(text) == forms


def test_whole_forms_come_once_each_however_often_they_stand_there():
    assert whole("a_b a_b A_B x a_b") == ["a_b"]


QUERIES = [
    ("running", [("words", ("run",))]),
    ("C++", [("whole", ("c++",))]),
    ("a_b", [("whole", ("a_b",))]),
    (".NET", [("whole", (".net",))]),
    ("POL-358", [("whole", ("pol-358",))]),
    ("100%", [("whole", ("100%",))]),
    ("%", [("whole", ("%",))]),
    ("multi-agent", [("words", ("multi", "agent"))]),
    ("don't", [("words", ("dont",))]),
    ("résumé", [("words", ("resum",))]),
    ("[[Link]]", [("words", ("link",))]),
    ("a,b", [("words", ("a", "b"))]),
    ("数", [("prefix", ("数",))]),
    ("数据", [("words", ("数据",))]),
    ("数据库", [("words", ("数据", "据库"))]),
    ("C语", [("prefix", ("c", "语"))]),
    ("语言C", [("words", ("语言", "言", "c"))]),
    ("uses C++ daily", [("words", ("us", "c", "daili")), ("whole", ("c++",))]),
    ("map<foo_bar>", [("words", ("map", "foo", "bar")), ("whole", ("foo_bar",))]),
    ("***", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "lookups"), QUERIES)
def test_what_a_query_looks_for(text, lookups):
    assert query_tokens(text) == [Lookup(kind, tokens) for kind, tokens in lookups]


def test_a_name_longer_than_a_token_is_asked_for_by_its_words_too():
    name = "/".join(["folder"] * 12)
    kinds = [one.kind for one in query_tokens(name)]
    assert kinds == ["words", "whole"]
    assert len(query_tokens(name)[1].tokens[0]) == 64
    assert query_tokens(name)[1].tokens[0] in whole(f"see {name}.")


def test_terms_of_a_glued_word_stand_apart():
    assert [one.text for one in query_terms("重跑gen-itgc后50条")] == ["重跑", "gen-itgc", "后", "50", "条"]
    assert [one.lookups[0].tokens for one in query_terms("用户身份验证")] == [
        ("用户",), ("户身",), ("身份",), ("份验",), ("验证",),
    ]  # fmt: skip
    term = query_terms("Résumé,")[0]
    assert (term.word, term.exact) == ("resume", "résumé")


def test_long_tokens_are_cut_alike_in_texts_and_queries():
    blob = "x" * 5000
    assert analyse(blob) == ["x" * 64]
    assert query_tokens(blob) == [Lookup("words", ("x" * 64,))]


def test_the_quick_way_agrees_with_the_full_one():
    for chunk in (
        '"Hello,"',
        "(WORLD).",
        "**bold**",
        "Word:",
        "`code`",
        "A",
        "<b>",
        "don",
        "x|y",
        "a.b",
        "^x!",
    ):
        quick = chunks.plain(chunk, None)
        full, parts, wholes = chunks.spell(chunk, None)
        assert quick in ("", full), chunk
        assert not (quick and (parts or wholes)), chunk


def test_blocks_of_a_huge_text_give_what_the_pieces_give():
    piece = "Some words, camelCase and foo_bar; 数据库 end.\n"
    text = piece * 4000
    assert len(text) > subject._BLOCK
    body, forms = fields(text)
    once = analyse(piece)
    assert body.split()[: 10 * 2] == once[:10] * 2
    assert len(body.split()) == len(once) * 4000
    assert forms == "foo_bar"


@pytest.mark.parametrize(
    "text",
    [
        "-" * 200_000,
        "-." * 100_000,
        "ab.c" * 50_000,
        "数" * 200_000,
        "n't" * 60_000,
        "_a" * 100_000,
        "[" * 200_000,
    ],
    ids=lambda text: text[:4],
)
def test_hostile_single_lines_are_read(text):
    assert all(len(token) <= 64 for token in (*analyse(text), *whole(text)))


def test_words_learnt_are_the_spellings_of_texts_with_their_tokens():
    analyser = Analyser(learn=True)
    analyser.fields("Running Cafés, HttpClient 42 don't http_client 数据 b")
    assert analyser.take_words() == {
        "running": "run", "cafes": "cafe", "httpclient": "httpclient", "http": "http", "client": "client",
        "dont": "dont",
    }  # fmt: skip
    analyser.fields("running again")
    assert analyser.take_words() == {"again": "again"} | {"running": "run"}
    assert analyser.take_words() == {}


def test_folded_spelling():
    assert folded("Ré\u200bSUMÉ") == "resume"


def test_words_name_the_place_of_each_token_in_the_raw_text():
    text = "see  Café, http_client.send() e\u0301t ｆｕｌｌ 数据"
    places = {token: text[a:b] for a, b, token in words(text)}
    assert places == {
        "see": "see", "cafe": "Café", "café": "Café", "http": "http", "client": "client", "send": "send",
        "http_client.send": "http_client.send", "http_client": "http_client", "et": "e\u0301t",
        "ét": "e\u0301t", "full": "ｆｕｌｌ", "数据": "数据", "据": "据",
    }  # fmt: skip
    assert [text[a:b] for a, b, _ in words(text, 5, 10)] == ["Café", "Café"]


def test_the_engine_splits_the_tokens_at_spaces_only():
    db = sqlite3.connect(":memory:")
    db.execute(f'CREATE VIRTUAL TABLE t USING fts5(x, tokenize="{TOKENIZE}")')
    signs = "!#$%&()*+,-./:;<=>?@[\\]^_`{|}~'"
    db.execute("INSERT INTO t VALUES (?)", (f"a{signs}b é数🚀 {signs}",))
    db.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'row')")
    assert {term for (term,) in db.execute("SELECT term FROM v")} == {f"a{signs}b", "é数🚀", signs}


ALPHABET = st.sampled_from(
    "abzABZ019 \n\t.-_/+#%@:'’\"()[]<>=,;éßй数据ไทが한🚀👨👩🇩🇪→ﬁİا²"
    "\u200d\u0301\u200b\u00a0\u064e\0\x1b\ud800\ufffd"
)
TEXTS = st.text(alphabet=ALPHABET, max_size=60) | st.text(max_size=30)


@given(TEXTS)
@example("a\u0301" * 40)
@example("𝔘𝔫𝔦 ﷺ ŉ")
def test_tokens_are_clean(text):
    for token in (*field(text).split(" "), *fields(text)[1].split(" ")):
        assert len(token) <= 64
        assert '"' not in token
        assert token.split() in ([], [token])
        token.encode("utf-8")  # no half surrogate reaches the database


@given(TEXTS)
def test_words_cover_exactly_what_is_indexed(text):
    indexed = set(analyse(text)) | set(whole(text))
    found = set()
    for start, end, token in words(text):
        assert 0 <= start < end <= len(text)
        found.add(token)
    if "\u200b" not in text:  # its second reading has no place of its own
        assert found == indexed
    else:
        assert found <= indexed | found


@given(TEXTS, st.data())
def test_a_query_for_any_stretch_of_words_is_found_in_its_text(text, data):
    chunks = text.split()
    if not chunks:
        return
    first = data.draw(st.integers(0, len(chunks) - 1))
    last = data.draw(st.integers(first, len(chunks) - 1))
    _assert_found(" ".join(chunks[first : last + 1]), text)


@given(st.text(alphabet="数据库设计用户a1 -", min_size=1, max_size=20), st.data())
def test_any_piece_of_unspaced_text_is_found(text, data):
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first + 1, len(text)))
    piece = text[first:last]
    if all(ord(character) > 0x3000 for character in piece):
        _assert_found(piece, text)


def _assert_found(query: str, text: str) -> None:
    tokens, forms = analyse(text), whole(text)
    for lookup in query_tokens(query):
        if lookup.kind == "whole":
            assert lookup.tokens[0] in forms
            continue
        size = len(lookup.tokens)
        windows = [tuple(tokens[i : i + size]) for i in range(len(tokens) - size + 1)]
        if lookup.kind == "prefix":
            wanted, start = lookup.tokens[:-1], lookup.tokens[-1]
            assert any(one[:-1] == wanted and one[-1].startswith(start) for one in windows)
        else:
            assert lookup.tokens in windows


@given(
    st.from_regex(r"\(?[a-zA-Zé0-9._'-]{1,9}-[a-zA-Zß0-9._+%-]{1,9}[.,;:!?)]{0,3}", fullmatch=True)
    | st.text("ab1Z-_.,:;!?()'é", max_size=12)
)
@example("multi-agent")
@example("(mother-in-law).")
@example("2024-01")
@example("t5-2:.")
@example("x" * 60 + "-" + "y" * 9)
def test_a_pair_of_words_read_the_quick_way_is_what_the_full_way_reads(chunk):
    quick_words: dict[str, str] = {}
    full_words: dict[str, str] = {}
    quick = chunks.pair(chunk, quick_words)
    if quick:
        full = chunks.spell(chunk, full_words)
        assert quick == chunks.marked(*full)
        assert quick_words == full_words


def test_pairs_of_words_take_the_quick_way():
    words: dict[str, str] = {}
    taken = chunks.pair("(multi-agent),", words)
    assert taken == "\x01multi agent\x01multiag\x01multi-agent\x01"
    assert words == {"multi": "multi", "agent": "agent", "multiagent": "multiag"}
    assert [chunks.pair(other, None) for other in ("a-b-c", "Multi-agent", "multi", "é-a", "-a")] == [""] * 5


PIECES = st.sampled_from(
    [
        "run",
        "Running.",
        "multi-agent",
        "HttpClient",
        "a.b",
        "数据",
        "\x01",
        "\x02",
        "a\x02b",
        "\n",
        " ",
        "\u2028",
        "\0",
        "---",
        "🚀",
        "",
    ]
)


@given(st.lists(st.lists(PIECES, max_size=6).map(" ".join), max_size=5))
def test_texts_analysed_together_give_what_each_gives_alone(texts):
    together: dict[str, None] = {}
    alone: dict[str, None] = {}
    bodies = Analyser().bodies(texts, together)
    assert bodies == [Analyser().body(text, alone) for text in texts]
    assert list(together) == list(alone)
    for text, body in zip(texts, bodies, strict=True):  # and that is what its chunks give one by one
        spelt = [chunks.spell(chunk, None) for chunk in text.split()]
        assert body.split() == " ".join([one[0] for one in spelt] + [one[1] for one in spelt]).split()


@given(st.text("abAB1.,-'é", max_size=6) | st.text("abcdegilnosty", max_size=60))
@example("a")
@example("x" * 50)
@example("x" * 70)
def test_a_chunk_met_first_and_met_again_is_what_the_full_way_says(chunk):
    learnt: dict[str, str] = {}
    words: dict[str, str] = {}
    known = chunks.Chunks(learnt)
    body, parts, wholes = chunks.spell(chunk, words)
    for _ in range(2):
        spelt = known[chunk]
        if chunks.MARK in spelt:
            assert spelt == chunks.marked(body, parts, wholes)
        else:
            assert (spelt, "", ()) == (body, parts, wholes)
    assert learnt == words


def test_a_full_memory_is_emptied_and_goes_on(monkeypatch):
    monkeypatch.setattr(chunks, "_CACHED_CHUNKS", 3)
    text = "one two multi-agent three one Four five."
    assert Analyser().bodies([text, "", text], {}) == [(body := field(text)), "", body]


def test_texts_too_long_to_be_analysed_together_are_analysed_alike():
    texts = ["Some words, camelCase. " * 7_000, "", "multi-agent"]
    assert sum(map(len, texts)) > subject._BLOCK
    wholes: dict[str, None] = {}
    long, empty, short = Analyser().bodies(texts, wholes)
    assert long.split() == ["some", "word", "camelcas"] * 7_000 + ["camel", "case"] * 7_000
    assert (empty, short, list(wholes)) == ("", "multi agent multiag", ["multi-agent"])
