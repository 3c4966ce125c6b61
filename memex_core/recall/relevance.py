"""What of a search's hits is worth putting before an agent that did not ask: mostly nothing.

A search answers as well as it can; a prompt may be about nothing that is remembered. Words that belong to
any work ("run the tests") say nothing of a topic. Of the others a page must have enough, measured by how
rare they are, and one that is rare at all; a word of its name counts more than one of its text. The
thresholds were set by hand on the example store and on a generated one of 10,000 pages.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import math
import re
import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memex_core.index.analyse import analyse
from memex_core.index.stem import stem
from memex_core.index.stopwords import STOP
from memex_core.model.slug import ascii_words
from memex_core.recall.query import Query, Term, parse

if TYPE_CHECKING:
    from memex_core.model.results import Hit

READ_WHOLE = 8_000
"""Characters of a prompt that is read as it is; parsing 100 KB would take a quarter of a second."""

_OF_ANY_WORK = """
    add answer apply argument ask aspect back bad begin best better big bit bring broke broken bug build
    button call carry case change check class clean clear close code color colour come comment complete
    continue correct create day debug decide default define delete detail different do done early easy
    edit empty end error exactly example exist explain extra fail failing failure fast faster feature
    file find finish first fix follow format full function get give go good great handle happen hello
    help hot implement important improve include input install instead issue keep kind know last late
    later learn leave left less like line list little load log long look make man mean merge message
    method missing mistake module more move name necessary need new next nice normal now number ok okay
    old open option output part pass people perfect perhaps place plan play point possible prefer pretty
    print probably problem program project prompt proper pull push put question quick read ready really
    reason refactor refer remember remove rename repeat replace result return review right run same save
    say script second see seem send set short show similar simple small smaller solve sort sound start
    state step still stop store strange suggest summarize sure table take task tell test text thank
    thanks think time today together tomorrow tool top try turn type understand undo update use useful
    user usual variable very view wait want way week well whole word work world write wrong year yes
    yesterday
"""
_OF_ANY_WORK_ELSEWHERE = """
    테스트 실행 수정 추가 파일 코드 오류 에러 확인 작성 삭제 변경 빌드 계속 진행 함수 문제 버그
    运行 测试 修复 修改 添加 删除 文件 代码 错误 问题 检查 继续 函数 更新 构建
"""
_MOST_COMMON = 2.0  # times the root of the number of pages: a word in more of them is rare no more
_NAMED, _NAMED_TWICE, _TEXT, _LONG_TEXT = 0.45, 0.25, 0.5, 0.35  # shares of the topic that a page must have
_ALL = 0.999  # the whole topic: sums of shares are not exact
_LONG = 8  # words of a topic from which the last one holds
_HANGUL = "[\uac00-\ud7a3]+"  # compiled when used: it takes half a millisecond
_WORD = re.compile(r"[^\W_]+")
_PIECE = 60  # characters of a word that is looked up; more is a run of a script without spaces
_MOST_OTHERS = 2_000  # words with letters beyond ASCII that are looked up
_RAREST = 64  # words of a very long text
_AT_ONCE = 500  # values in one statement
_BESIDE_BEST = 0.65  # of the best hit's score, below which a hit is not worth its tokens


class Judged(NamedTuple):
    """Hits worth giving, best first, and those that are not."""

    relevant: "list[Hit]"
    below: "list[Hit]"


def topic_of(text: str) -> Query:
    """A prompt as a query for what it is about: nothing in it is an operator, and words of any work are
    left out. It has no terms when nothing is left."""
    from memex_core.recall.pasted import loosened
    from memex_core.recall.recall import sound

    text = sound(text)
    query = loosened(parse(text if text.isascii() else re.sub(_HANGUL, _bare_korean, text)))
    common = frozenset(map(stem, _OF_ANY_WORK.split()))
    if not text.isascii():
        common |= frozenset(analyse(_OF_ANY_WORK_ELSEWHERE))
    terms = tuple(term for term in query.terms if not _is_common(term, common))
    return query._replace(terms=terms, filters=(), stopped=())


def _bare_korean(word: re.Match[str]) -> str:
    """A Korean word without its particle or ending, which pages write otherwise; none for a stop word."""
    from memex_core.recall.gate.tokens import fingerprint

    return " ".join(fingerprint([word[0]]))


def shortened(db: sqlite3.Connection, text: str) -> str:
    """Of a prompt longer than :data:`READ_WHOLE` the words that fewest pages have, of those that any has."""
    from memex_core.recall.recall import sound

    text = sound(text)
    if text.isascii():
        plain, strange = list(dict.fromkeys(ascii_words(text))), []
    else:
        found = dict.fromkeys(_WORD.findall(text.casefold()))
        plain = [word for word in found if word.isascii()]
        strange = [word for word in found if not word.isascii()]
    counts = _counts(db, "word", plain)  # the index knows how words are spelt: no need to analyse these
    others = [word[at : at + _PIECE] for word in strange for at in range(0, len(word), _PIECE)]
    tokens = {one: token[0] for one in others[:_MOST_OTHERS] if (token := analyse(one))}
    terms = _counts(db, "term", list(dict.fromkeys(tokens.values())))
    counts.update((one, terms[token]) for one, token in tokens.items() if token in terms)
    rarest = sorted((word for word, df in counts.items() if df and word not in STOP), key=counts.__getitem__)
    return " ".join(rarest[:_RAREST])


def known(db: sqlite3.Connection, words: Sequence[str]) -> tuple[str, ...]:
    """Those of the words (folded) that pages have."""
    counts = {**_counts(db, "term", words), **_counts(db, "word", words)}
    return tuple(word for word in words if counts.get(word))


def _counts(db: sqlite3.Connection, table: str, words: Sequence[str]) -> dict[str, int]:
    """In how many pages each of the words is (table ``word``: as spelt; ``term``: as analysed)."""
    counts: dict[str, int] = {}
    for at in range(0, len(words), _AT_ONCE):
        some = words[at : at + _AT_ONCE]
        sql = f"SELECT {table}, df FROM {table} WHERE {table} IN ({','.join('?' * len(some))})"
        counts.update(db.execute(sql, some).fetchall())
    return counts


def _is_common(term: Term, common: frozenset[str]) -> bool:
    tokens = [token for lookup in term.lookups for token in lookup.tokens]
    return term.stop or all(token in common or token in STOP or token.isdigit() for token in tokens)


def judge(
    hits: "Sequence[Hit]",
    pages: int,
    corrected: Mapping[str, str],
    names: "Mapping[str, Sequence[str]]",
    *,
    asked: bool = False,
) -> Judged:
    """Sort ``hits`` (of a search that explains itself, among ``pages`` pages) into relevant and not.

    ``names`` has the title and aliases of each hit by its file path. ``corrected`` words were guessed and
    prove nothing. ``asked``: the prompt asks for memory, so that one rare word will do.
    """
    relevant: list[Hit] = []
    below: list[Hit] = []
    for hit in hits:
        ok = _is_relevant(hit, pages, corrected, names.get(hit["file_path"]) or (hit["title"],), asked)
        (relevant if ok else below).append(hit)
    if relevant:
        least = max(hit["score"] for hit in relevant) * _BESIDE_BEST
        below += [hit for hit in relevant if hit["score"] < least]
        relevant = [hit for hit in relevant if hit["score"] >= least]
    return Judged(relevant, below)


def _is_relevant(
    hit: "Hit", pages: int, corrected: Mapping[str, str], names: Sequence[str], asked: bool
) -> bool:
    found = {_bare(word) for word in hit["matched"]} - {_bare(word) for word in corrected}
    counts: Mapping[str, int] = hit["why"].get("pages") or {}
    weights = {_bare(word): _weight(df, pages) for word, df in counts.items()}
    unknown = max(weights.values(), default=1.0)
    missing = [word for word in map(_bare, hit["why"].get("dropped") or ()) if word not in weights]
    total = sum(weights.values()) + unknown * len(missing)
    most = _MOST_COMMON * math.sqrt(pages)
    share = sum(weights.get(word, 0.0) for word in found) / (total or 1.0)
    tokens = {token for word in found for token in analyse(word)}
    if not any(_bare(word) in found and df <= most for word, df in counts.items()):
        # What a whole store is about is rare in none of its pages; who asks for just that means it.
        return share > _ALL and (asked or len(found) > 1)
    if any(tokens.issuperset(own) for own in map(_said, names) if own):
        return True
    in_name = any(tokens & set(_said(name)) for name in names)
    if in_name and (share >= _NAMED or (len(found) > 1 and share >= _NAMED_TWICE)):
        return True
    words = len(weights) + len(missing)
    if len(found) > 1:
        return share >= (_LONG_TEXT if words > _LONG else _TEXT)
    return asked and share >= _TEXT


def _said(name: str) -> list[str]:
    """The tokens of a name that say something."""
    return [token for token in analyse(name) if token not in STOP]


def _bare(word: str) -> str:
    return word.strip("?!.,;:").casefold()


def _weight(df: int, pages: int) -> float:
    return math.log(1 + (pages - df + 0.5) / (df + 0.5))
