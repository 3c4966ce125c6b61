"""Stems: the published examples, irregular forms, and that stemming never fails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.index.irregular import IRREGULAR, forms_of
from memex_core.index.stem import _stepped, porter, stem

PUBLISHED = """
    caresses caress  ponies poni  ties ti  cats cat  feed feed  agreed agre  plastered plaster  bled bled
    motoring motor  sing sing  conflated conflat  troubled troubl  sized size  hopping hop  tanned tan
    falling fall  hissing hiss  fizzed fizz  failing fail  filing file  happy happi  sky sky
    relational relat  conditional condit  rational ration  valenci valenc  digitizer digit
    conformabli conform  radicalli radic  differentli differ  vileli vile  analogousli analog
    vietnamization vietnam  predication predic  operator oper  feudalism feudal  decisiveness decis
    hopefulness hope  callousness callous  formaliti formal  sensitiviti sensit  sensibiliti sensibl
    triplicate triplic  formative form  formalize formal  electriciti electr  electrical electr
    hopeful hope  goodness good  revival reviv  allowance allow  inference infer  airliner airlin
    adjustable adjust  defensible defens  irritant irrit  replacement replac  adjustment adjust
    dependent depend  adoption adopt  homologou homolog  communism commun  activate activ
    effective effect  bowdlerize bowdler  probate probat  rate rate  cease ceas  controll control
    roll roll  generalizations gener  oscillators oscil  archaeology archaeolog
"""


def test_published_examples():
    words = PUBLISHED.split()
    assert {word: porter(word) for word in words[::2]} == dict(zip(words[::2], words[1::2], strict=True))


@pytest.mark.parametrize(
    ("form", "base"),
    [("went", "going"), ("bought", "buys"), ("children", "child"), ("mice", "mouse"), ("written", "write")],
)
def test_irregular_forms_share_the_stem_of_their_base(form, base):
    assert stem(form) == stem(base)


@pytest.mark.parametrize("word", ["left", "lives", "leaves", "bases", "media", "rose"])
def test_forms_that_are_words_of_their_own_stay(word):
    assert word not in IRREGULAR


def test_every_irregular_form_leads_to_a_regular_word():
    assert not {base for base in IRREGULAR.values() if base in IRREGULAR}
    assert forms_of("go") == ["went", "gone"]


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", max_size=30))
def test_a_stem_is_never_longer_by_more_than_an_e_and_never_empty(word):
    result = porter(word)
    assert len(result) <= len(word)
    assert bool(result) == bool(word)


ENDINGS = st.sampled_from(
    """s e y ed ing eed ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness
    fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible
    ant ement ment ent ion ou ism ate iti ous ive ize ll at bl iz""".split()
)


@given(
    st.text("abceilnosty", min_size=3, max_size=9), st.lists(ENDINGS, max_size=2), st.text("abst", max_size=1)
)
def test_a_word_that_its_end_shows_to_be_its_own_stem_is_left_alone_by_every_step(start, endings, last):
    word = start + "".join(endings) + last
    assert porter(word) == _stepped(word)


def test_words_no_step_could_change_are_not_taken_through_the_steps():
    assert porter("walrus") == "walru"
    assert {word: porter(word) for word in ("work", "zip", "blob", "kiwi")} == {
        "work": "work", "zip": "zip", "blob": "blob", "kiwi": "kiwi"
    }  # fmt: skip
