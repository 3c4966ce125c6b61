"""``memex embed``: the vectors that are missing, made in batches that are kept as they come."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memex_core.actions.asking import meaning
from memex_core.actions.asking.recalling import words
from memex_core.index.vectors.numbers import unit
from memex_core.index.vectors.prints import text_key
from memex_core.index.vectors.store import Vectors
from memex_core.learn import embeddable
from memex_core.model.errors import BadInput, Locked, MemexError, WriteFailed
from memex_core.recall.pack import est_tokens

if TYPE_CHECKING:
    from array import array

    from memex_core.actions.asking.meaning import Maker
    from memex_core.actions.store import Store

    Progress = Callable[[int, int], None]

_REFUSED_IN_A_ROW = 8


def embed(
    store: Store,
    *,
    kinds: Any = (),
    limit: int = 0,
    progress: Progress | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Make the vectors that are missing, at most ``limit`` (0: all).

    Returns ``{model, width, texts, embedded, waiting, tokens, removed, refused, dry_run, warnings}``:
    ``texts`` had no vector at the start, ``tokens`` are those of what was (with ``dry_run``: would be) sent,
    ``refused`` are texts that the endpoint would not take. Interrupted or failed, what was made is kept, and
    the next call goes on. Raises BadInput when vectors are off, Locked when another run is at it,
    EndpointFailed.
    """
    places = words(kinds) or list(embeddable.KINDS)
    for place in places:
        if place not in embeddable.KINDS:
            raise BadInput(f"{place!r} has no texts", hint=", ".join(embeddable.KINDS))
    if limit < 0:
        raise BadInput(f"limit {limit} is too small", hint="0 for no limit")
    made = meaning.maker(store)
    if dry_run:
        return _Run(store, made, places, limit, None).told()
    from memex_core.files.lock import StoreLock

    store.layout.ensure_state()
    path = Vectors.file_of(store.layout)
    try:
        with StoreLock(path + ".lock", timeout=0):
            vectors, replaced = Vectors.make(store.layout)
            try:
                run = _Run(store, made, places, limit, vectors, progress)
                if replaced:
                    run.warnings.append("the file of vectors was broken and is made anew")
                return run.done()
            finally:
                vectors.close()
    except Locked:
        raise Locked("another memex embed is at work", hint="let it finish") from None
    except (sqlite3.Error, OSError) as error:
        hint = f"is there room for {path}?"
        raise WriteFailed(f"the vectors cannot be written ({error})", hint=hint) from None


def coverage(store: Store) -> dict[str, Any]:
    """How much of a store has vectors, for who asks how it is; no file is read.

    ``{model, width, pages, diary, turns, vectors}``, each kind as ``{with, all}``, ``vectors`` as
    ``[{model, width, count}]``.
    """
    made = meaning.maker(store)
    vectors = None
    spaces: list[dict[str, Any]] = []
    covered: set[bytes] = set()
    space = None
    try:
        vectors = Vectors.open(store.layout)
        if vectors is not None:
            space = vectors.space(made.model, made.dimensions)
            covered = vectors.covered(space) if space else set()
            spaces = [{"model": one.model, "width": one.width, "count": n} for one, n in vectors.spaces()]
    except sqlite3.Error:
        space = None
    finally:
        if vectors is not None:
            vectors.close()
    told: dict[str, Any] = {"model": made.model, "width": space.width if space else None}
    for place, kind in embeddable.KINDS.items():
        marks = [mark for one in embeddable.documents(store.index.db, [place]) for _, mark in one.marks]
        told["turns" if kind == "turn" else place] = {
            "with": sum(mark in covered for mark in marks),
            "all": len(marks),
        }
    return {**told, "vectors": spaces}


def status_of(store: Store, warnings: list[str]) -> dict[str, Any]:
    """What ``status`` says of vectors: ``{vectors: coverage}``, and what is wrong as a warning."""
    try:
        told = coverage(store)
    except BadInput as error:
        return {"warnings": [*warnings, f"vectors: {error}"]}
    kept = [one for one in told["vectors"] if one["count"] and one["model"] != told["model"]]
    if kept and told["width"] is None:
        models = ", ".join(str(one["model"]) for one in kept)
        why = f"the vectors are of {models}, not of {told['model']}"
        warnings = [*warnings, f"{why}: words only until memex embed has been run"]
    return {"vectors": told, "warnings": warnings}


def erase_gone(store: Store) -> None:
    """Erase the vectors of texts that are no longer in the store: from a vector a text can be guessed at.

    What cannot be erased vector by vector goes with its file, which ``memex embed`` makes anew.
    """
    path = Vectors.file_of(store.layout)
    if not os.path.exists(path):
        return
    try:
        vectors = Vectors.make(store.layout)[0]
        try:
            now = embeddable.present(store.index.db)
            vectors.forget([one for one in vectors.documents() if one not in now])
            vectors.forget_questions()
        finally:
            vectors.close()
    except sqlite3.Error:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                os.unlink(path + suffix)


class _Run:
    """One pass over the store. Without ``vectors`` (a dry run on a store that has none) all is missing."""

    def __init__(
        self,
        store: Store,
        made: Maker,
        places: list[str],
        limit: int,
        vectors: Vectors | None,
        progress: Progress | None = None,
    ) -> None:
        self.store, self.made, self.places, self.limit = store, made, places, limit
        self.vectors, self.progress = vectors, progress
        self.writing = vectors is not None  # a dry run opens them to read
        self.scrubber = meaning.strict(store)
        self.space = vectors.space(made.model, made.dimensions) if vectors else None
        self.warnings: list[str] = []
        self.all = self.embedded = self.tokens = self.refused = self.removed = 0
        self.in_a_row = 0

    # -- what is missing -------------------------------------------------------------------

    def missing(self) -> Iterator[tuple[bytes, str]]:
        """(key, text) of every text without a whole vector, each key once; ``all`` counts the keys met."""
        db = self.store.index.db
        met: set[bytes] = set()
        for document in embeddable.documents(db, self.places):
            known = self.vectors.prints(document.kind, document.name) if self.vectors else {}
            keys = {key for mark in document.marks for key in known.get(mark, ())}
            sound = self._sound(keys)
            if keys == sound and all(mark in known for mark in document.marks):
                self.all += len(keys - met)
                met |= keys
                continue
            found = embeddable.texts(db, self.store.layout, document, self.scrubber)
            texts = {}
            places = []
            for place, text in found:
                before = known.get((place.at, place.print), [])
                key = before[place.piece] if place.piece < len(before) else b""
                if key not in sound:
                    key = text_key(text)
                    texts[key] = text
                places.append(place._replace(key=key))
            if self.writing and self.vectors is not None:
                self.vectors.put_places(document.kind, document.name, places)
            sound = self._sound(set(texts))
            self.all += len({place.key for place in places} - met)
            for place in places:
                if place.key not in met:
                    met.add(place.key)
                    if place.key in texts and place.key not in sound:
                        yield place.key, texts[place.key]

    def _sound(self, keys: set[bytes]) -> set[bytes]:
        return self.vectors.sound_keys(self.space, keys) if self.vectors and self.space else set()

    # -- acting ----------------------------------------------------------------------------

    def told(self) -> dict[str, Any]:
        """The answer of a dry run."""
        self.vectors = Vectors.open(self.store.layout)
        try:
            self.space = self.vectors.space(self.made.model, self.made.dimensions) if self.vectors else None
            texts = [text for _, text in self.missing()]
        finally:
            if self.vectors is not None:
                self.vectors.close()
        sent = texts[: self.limit or None]
        self.tokens = sum(map(est_tokens, sent))
        return {**self._answer(len(texts), len(texts)), "would_embed": len(sent), "dry_run": True}

    def done(self) -> dict[str, Any]:
        at_first = 0
        while True:
            missing = list(self.missing())
            at_first = at_first or len(missing)
            before, space = self.embedded, self.space
            left = self.limit - before if self.limit else len(missing)
            self._send(missing[:left], before + min(left, len(missing)))
            waiting = len(missing) - (self.embedded - before)
            if space is None or self.space is space:
                break  # else the model's width has changed, and all texts are missing in the new one
        if not self.limit and set(self.places) == set(embeddable.KINDS):
            self.removed = self._sweep()
        return self._answer(at_first, waiting)

    def _answer(self, texts: int, waiting: int) -> dict[str, Any]:
        return {
            "model": self.made.model,
            "width": self.space.width if self.space else None,
            "texts": texts,
            "embedded": self.embedded,
            "waiting": waiting,
            "tokens": self.tokens,
            "refused": self.refused,
            "removed": self.removed,
            "dry_run": False,
            "warnings": self.warnings,
        }

    def _send(self, missing: list[tuple[bytes, str]], total: int) -> None:
        """Batch by batch; stops when the model turns out to have another width than the stored vectors."""
        step = self.store.config.embed.batch
        for at in range(0, len(missing), step):
            space = self.space
            self._batch(missing[at : at + step])
            if self.progress is not None:
                self.progress(self.embedded, total)
            if space is not None and self.space is not space:
                return

    def _batch(self, batch: list[tuple[bytes, str]]) -> None:
        try:
            vectors = self._vectors([text for _, text in batch])
        except MemexError as error:
            if not getattr(error, "refused", False) or self.in_a_row >= _REFUSED_IN_A_ROW:
                if self.embedded:
                    kept = f"{self.embedded} vectors are kept, the next memex embed goes on"
                    error.hint = f"{error.hint}; {kept}" if error.hint else kept
                raise
            if len(batch) > 1:  # one text that is too long for the model spoils its batch
                self._batch(batch[: len(batch) // 2])
                self._batch(batch[len(batch) // 2 :])
                return
            self.in_a_row += 1
            self.refused += 1
            self.warnings.append(f"a text was not taken: {error.message}")
            return
        self.in_a_row = 0
        assert self.vectors is not None
        width = len(vectors[0])
        if self.space is None or self.space.width != width:
            if self.space is not None:
                self.warnings.append(
                    f"{self.made.model} gives {width} numbers now, {self.space.width} before: "
                    "all texts get new vectors"
                )
            self.space = self.vectors.make_space(self.made.model, width)
        self.vectors.put(self.space, zip((key for key, _ in batch), vectors, strict=True))
        self.embedded += len(batch)
        self.tokens += sum(est_tokens(text) for _, text in batch)

    def _vectors(self, texts: list[str]) -> list[array[float]]:
        from memex_core.learn.endpoint import EndpointFailed

        try:
            found = [unit(vector) for vector in self.made.texts(texts)]
        except (ValueError, TypeError) as error:
            raise EndpointFailed(f"{self.made.name} gave no usable vectors ({error})") from None
        if len(found) != len(texts) or len({len(vector) for vector in found}) != 1:
            raise EndpointFailed(f"{self.made.name} gave no usable vectors (not one of equal width a text)")
        return found

    def _sweep(self) -> int:
        """Take out what belongs to no text any more."""
        assert self.vectors is not None
        now = embeddable.present(self.store.index.db)
        return self.vectors.forget([one for one in self.vectors.documents() if one not in now])
