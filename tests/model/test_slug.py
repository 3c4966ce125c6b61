from __future__ import annotations

import random
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.model.slug import (
    DEVICES,
    fold,
    numbered,
    portable_name,
    sha1_slug,
    slugify,
    taken_among,
)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Rye loaf", "rye-loaf"),
        ("  --Rye__loaf!! ", "rye-loaf"),
        ("C++ and C#", "c-and-c"),
        ("v1.2 notes", "v1-2-notes"),
        ("Enable/Disable", "enable-disable"),
        ("../x", "x"),
        (".hidden", "hidden"),
        ("Größe ÄÖÜ", "größe-äöü"),
        ("Cafe\u0301 Noir", "café-noir"),
        ("用户身份验证", "用户身份验证"),
        ("한국 역사", "한국-역사"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("emoji 🚀 note", "emoji-note"),
        ("1️⃣ first", "1-first"),
        ("İstanbul", "i̇stanbul"),
        ("٣ أشياء", "٣-أشياء"),
        ("Index", "index-page"),
        ("log", "log-page"),
        ("CON", "con-page"),
        ("aux", "aux-page"),
        ("Com1", "com1-page"),
        ("COM¹", "com¹-page"),
        ("lpt9", "lpt9-page"),
        ("Clock", "clock"),
        ("console", "console"),
        ("index of things", "index-of-things"),
    ],
)
def test_a_title_becomes_its_slug(title: str, slug: str) -> None:
    assert slugify(title) == slug


def test_a_title_without_letters_takes_the_id() -> None:
    assert slugify("🚀", ident="0f8fad5b-d9cb-469f-a165-70867728950e") == "0f8fad5b"
    assert slugify("!!!", ident="../Äb/c") == "äb-c"


def test_a_title_without_letters_and_id_keeps_a_slug_of_its_own() -> None:
    assert slugify("🚀") == slugify("🚀") != slugify("🎉")
    assert re.fullmatch("[0-9a-f]{8}", slugify("🚀"))
    assert slugify("")


def test_composition_and_case_do_not_change_a_slug() -> None:
    title = "Éclair à la crème"
    assert slugify(unicodedata.normalize("NFD", title)) == slugify(title) == slugify(title.upper())


def test_a_long_title_is_cut_at_64_characters() -> None:
    assert slugify("a" * 100) == "a" * 64
    assert slugify("a" * 63 + " b") == "a" * 63  # no hyphen at the end


def test_a_long_title_is_cut_at_200_bytes_of_whole_characters() -> None:
    slug = slugify("𠀋" * 64)
    assert slug == "𠀋" * 50
    assert len(slug.encode()) == 200


def test_a_cut_keeps_a_letter_and_its_mark_together() -> None:
    assert slugify("a" * 63 + "x\u0323\u0308z") == "a" * 63
    assert slugify("x" + "\u0323" * 80) == "x" + "\u0323" * 63  # nothing better to do


@given(st.text())
def test_every_slug_follows_the_rules(title: str) -> None:
    slug = slugify(title)
    assert slug
    assert len(slug) <= 64 + len("-page")
    assert len(slug.encode("utf-8", "surrogatepass")) <= 205
    assert slug == unicodedata.normalize("NFC", slug)
    assert slug[0] != "-" != slug[-1]
    assert "--" not in slug
    assert all(c == "-" or c.isalnum() or unicodedata.category(c)[0] == "M" for c in slug)
    assert slug not in DEVICES | {"index", "log"}


@given(st.text())
def test_a_slug_is_its_own_slug(title: str) -> None:
    slug = slugify(title)
    assert slugify(slug) == slug


def test_sha1_slugs() -> None:
    assert re.fullmatch("[0-9a-f]{16}", sha1_slug("x"))
    assert sha1_slug("abc") == "a9993e364706816a"
    assert sha1_slug("e\u0301") == sha1_slug("é")


def test_a_taken_slug_gets_a_number() -> None:
    assert numbered("tea", taken_among([])) == "tea"
    assert numbered("tea", taken_among(["tea"])) == "tea-2"
    assert numbered("tea", taken_among(["tea", "tea-2", "tea-3"])) == "tea-4"


def test_a_slug_collides_as_on_a_disk_that_ignores_case() -> None:
    assert numbered("straße", taken_among(["STRASSE"])) == "straße-2"
    assert numbered("café", taken_among(["CAFE\u0301"])) == "café-2"


def test_the_number_fits_into_the_limit() -> None:
    long = "a" * 64
    assert numbered(long, taken_among([long])) == "a" * 62 + "-2"
    wide = "𠀋" * 50
    assert len(numbered(wide, taken_among([wide])).encode()) <= 200


def test_fold_is_case_and_composition_blind() -> None:
    assert fold("Rye Loaf") == "rye loaf"
    assert fold("CAFE\u0301") == fold("café")
    assert fold("ΣΊΣΥΦΟΣ") == fold("σίσυφος")
    assert fold("basic bug") != fold("basic-bug") != fold("básic-bug")


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Rye loaf", "Rye loaf"),
        ("Enable/Disable", "Enable-Disable"),
        ("v1.2 notes", "v1.2 notes"),
        ("A: B", "A - B"),
        ("10:30", "10-30"),
        ("../x", "x"),
        (".hidden", "hidden"),
        ("a:b?", "a-b"),
        ("x|y", "x-y"),
        ('Say "hi"', "Say hi"),
        ("C#", "C"),
        ("[draft] plan", "draft plan"),
        ("CON", "CON-page"),
        ("aux.md", "aux-page.md"),
        ("COM1.notes", "COM1-page.notes"),
        ("nul", "nul-page"),
        ("Index", "Index-page"),
        ("end.", "end"),
        ("end ", "end"),
        ("~/x", "x"),
        ("a\u00a0b", "a b"),
        ("a\tb\nc", "a b c"),
        ("\u202egnp.md", "gnp.md"),
        ("a\u200bb", "ab"),
        ("family 👨‍👩‍👧", "family 👨‍👩‍👧"),
        ("می‌خواهم", "می‌خواهم"),
        ("flag 🏴\U000e0067\U000e0062\U000e007f", "flag 🏴\U000e0067\U000e0062\U000e007f"),
    ],
)
def test_a_title_becomes_a_readable_file_name(title: str, name: str) -> None:
    assert portable_name(title) == name


def test_a_title_of_nothing_but_signs_takes_the_id() -> None:
    assert portable_name("???", ident="12345678-9") == "12345678"
    assert portable_name("🚀") == "🚀"


PORTABLE = re.compile(r'[^<>:"/\\|?*#^\[\]\x00-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]+')


def is_portable(name: str) -> bool:
    return (
        PORTABLE.fullmatch(name) is not None
        and name[-1] not in ". "
        and name[0] not in ". ~"
        and name.split(".")[0].strip().lower() not in DEVICES
        and len(f".{name}-99.md".encode()) < 255
        and name == unicodedata.normalize("NFC", name)
    )


def test_names_of_5000_random_titles_are_portable() -> None:
    rng = random.Random(4)
    alphabets = [
        [chr(n) for n in range(0x20, 0x7F)],
        [chr(n) for n in range(0x20)] + list(':?|*<>"/\\. ~#^[]') + list("abc"),
        [chr(n) for n in range(0xA0, 0x2100)],
        [chr(n) for n in range(0x3000, 0xD7FF, 7)] + [chr(n) for n in range(0x1F300, 0x1F700)],
    ]
    words = ["CON", "aux", "nul", "com1", "LPT9", "index", "..", ".", " ", "end"]
    bad = []
    for _ in range(5000):
        alphabet = rng.choice(alphabets)
        title = "".join(rng.choice(alphabet) for _ in range(rng.randint(0, 120)))
        if rng.random() < 0.2:
            title = rng.choice(words) + rng.choice(["", ".", " ", ".md", title])
        if not is_portable(portable_name(title)):
            bad.append((title, portable_name(title)))
    assert bad == []


@given(st.text(max_size=200))
def test_any_title_gives_a_portable_name(title: str) -> None:
    assert is_portable(portable_name(title))
