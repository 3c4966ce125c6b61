"""The vector of a question, or why there is none: nothing that goes wrong here fails a search.

Only asked for where stored vectors of the model are there to be compared with. Questions asked before are
remembered, and so is for a minute that an endpoint could not be reached: a shell's prompt does not wait for
it each time.
"""

# No postponed annotations here: they make each named tuple's fields a compilation at start-up.

import json
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memex_core.index.vectors.numbers import unit
from memex_core.index.vectors.prints import text_key
from memex_core.index.vectors.store import Space, Vectors, keep_question, set_note
from memex_core.model import clock
from memex_core.model.errors import MemexError

if TYPE_CHECKING:
    from memex_core.recall.query import Query

REST_S = 60
"""Seconds for which an endpoint that could not be reached is not asked again."""

LONGEST = 2_000
"""Characters of a question that are sent."""

_REMEMBERED = 200  # questions


class Embedder(NamedTuple):
    """Who makes vectors. ``ask`` gives the vector of a question of any length, or raises; ``name`` is who is
    asked, for the memory of failures. ``dimensions`` is 0 where the model decides."""

    model: str
    name: str
    ask: Callable[[str], Sequence[float]]
    dimensions: int = 0


class Asked(NamedTuple):
    """A question's vector and the stored ones that it can be compared with."""

    vectors: Vectors
    space: Space
    vector: "array[float]"


def vector_of(vectors: Vectors, embedder: Embedder, query: "Query", warnings: list[str]) -> Asked | None:
    """The query's vector; None, with a line in ``warnings``, where the words have to do alone.

    Raises ``sqlite3.Error`` when the file of vectors is broken.
    """
    space = vectors.space(embedder.model, embedder.dimensions)
    if space is None or not vectors.any(space):
        what = f"missing {embedder.model} {embedder.dimensions}"
        why = f"the stored vectors are not of the model {embedder.model}"
        _once(vectors, what, f"{why}: words only until memex embed has been run", warnings)
        return None
    text = text_of(query)
    key = text_key(text)
    known = vectors.question(space, key)
    if known is not None:
        return Asked(vectors, space, known)
    resting = _resting(vectors, embedder)
    if resting:
        warnings.append(f"{resting}: words only")
        return None
    try:
        vector = unit(embedder.ask(text))
    except Exception as error:  # an embedder given in code may raise anything
        _failed(vectors, embedder, error, warnings)
        return None
    if len(vector) != space.width:
        what = f"width {space.model} {len(vector)}"
        why = f"{space.model} gives {len(vector)} numbers, the stored vectors have {space.width}"
        _once(vectors, what, f"{why}: words only until memex embed has been run", warnings)
        return None
    vectors.remember(lambda db: keep_question(db, space, key, vector, _REMEMBERED))
    return Asked(vectors, space, vector)


def text_of(query: "Query") -> str:
    """What is asked, without operators and without what must not be there."""
    said = [item.text for item in query.items if item.kind in ("word", "phrase") and not item.negated]
    return " ".join(said) or query.text


def _resting(vectors: Vectors, embedder: Embedder) -> str:
    """Why the endpoint is not asked now; empty when it is."""
    try:
        until, who, why = json.loads(str(vectors.note("resting")))
        left = float(until) - clock.now().timestamp()
    except (ValueError, TypeError):
        return ""
    return str(why) if who == embedder.name and 0 < left <= REST_S else ""


def _failed(vectors: Vectors, embedder: Embedder, error: Exception, warnings: list[str]) -> None:
    why = error.message if isinstance(error, MemexError) else f"the embedder failed ({type(error).__name__})"
    warnings.append(f"{why}: words only")
    if getattr(error, "down", False):
        said = json.dumps([clock.now().timestamp() + REST_S, embedder.name, why])
        vectors.remember(lambda db: set_note(db, "resting", said))


def _once(vectors: Vectors, what: str, warning: str, warnings: list[str]) -> None:
    """A warning that is given once for each thing that is wrong; ``memex status`` goes on saying it."""
    if vectors.note("warned") != what:
        warnings.append(warning)
        vectors.remember(lambda db: set_note(db, "warned", what))
