"""Vectors of items and diary entries, where a host gives an embedder: kept on disk, made once a text.

``vectors.keys.jsonl`` names the matrix file, the model and the width, then a row's file, name and content
hash a line; ``vectors-000003.npy`` is the matrix, float32. Both can go at any time. What is torn counts
as absent.
"""

from __future__ import annotations

import json
import os
import re
from array import array
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from memex_core.files import atomic
from memex_core.files.lock import StoreLock
from memex_core.index.vectors.numbers import cosine, packed, unit
from memex_core.wikimem.matrix import Matrix, Rows

_KEYS = "vectors.keys.jsonl"
_MATRIX = re.compile(r"vectors-(\d{6,})\.npy")
_POSITIVE = bytes(49 if 0 < top < 128 else 48 for top in range(256))  # a float's top byte
_RERANKED = 4  # times as many as are wanted pass the coarse tier

Entry = tuple[tuple[str, str], str]
"""((file, name), text)"""


class Embedder(Protocol):
    """Texts in, one vector each out. ``model``, if it has one, names what made them."""

    def embed(self, texts: list[str]) -> list[list[float]]: ...


class VectorIndex(Protocol):
    """Rows near to a query, nearest first, with their similarity."""

    def search(self, query: Sequence[float], top_k: int) -> list[tuple[int, float]]: ...


class Mismatch(Exception):
    """The vectors on disk are another model's, or of another width: they cannot be compared."""


def content_hash(text: str) -> str:
    """SHA-256 of the text, in hex."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class VectorCache:
    """The vectors kept in the folder ``root``."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)

    def load(self) -> tuple[list[dict[str, str]], Matrix | None]:
        """The rows' keys and the matrix; ``([], None)`` when there is none that is whole."""
        header, keys = self._keys()
        matrix = Matrix.open(self.root / str(header.get("vectors_file", "")), len(keys)) if keys else None
        return (keys, matrix) if matrix is not None else ([], None)

    def sync(
        self, entries: Sequence[Entry], embedder: Embedder, *, batch_size: int = 64, keep: bool = False
    ) -> tuple[list[dict[str, str]], Matrix | None]:
        """Bring the cache in line with ``entries``, in their order; with ``keep`` other rows stay.

        Texts that have a vector are not embedded again. Raises what the embedder raises, after keeping
        the vectors that came before; Mismatch, before anything is asked of it, when the vectors here are
        another model's; ValueError for an answer that is no list of equally long vectors.
        """
        keys, matrix = self.load()
        model = getattr(embedder, "model", None)
        self.check(model)
        wanted = [{"file": file, "name": name, "hash": content_hash(text)} for (file, name), text in entries]
        texts = {key["hash"]: text for key, (_, text) in zip(wanted, entries, strict=True)}
        if keep:
            known = {tuple(key.values()) for key in keys}
            wanted = keys + [key for key in wanted if tuple(key.values()) not in known]
        if wanted == keys:
            return keys, matrix
        if not wanted:
            self._clear()
            return [], None
        rows: dict[str, Sequence[float]] = {}
        if matrix is not None:
            rows.update((key["hash"], matrix[at]) for at, key in enumerate(keys))
        new = [(name, text) for name, text in texts.items() if name not in rows]
        width = matrix.width if matrix is not None else 0
        try:
            for at in range(0, len(new), batch_size):
                some = new[at : at + batch_size]
                made = _vectors(embedder.embed([text for _, text in some]), len(some))
                self.check(None, len(made[0]))
                width = width or len(made[0])
                if len(made[0]) != width:
                    raise ValueError("the embedder's vectors are not of one width")
                rows.update(zip((name for name, _ in some), made, strict=True))
        finally:
            whole = [key for key in wanted if key["hash"] in rows]
            if whole and whole != keys:
                self._write(whole, [rows[key["hash"]] for key in whole], width, model)
        return self.load()

    def check(self, model: object, width: int = 0) -> None:
        """Raise Mismatch unless vectors of that model and width can be compared with those here."""
        _, matrix = self.load()
        if matrix is None:
            return
        made_by = self._keys()[0].get("model")
        if model and made_by and made_by != model:
            raise Mismatch(f"the vectors in {self.root} were made by {made_by}, not by {model}")
        if width and matrix.width != width:
            raise Mismatch(f"the vectors in {self.root} have {matrix.width} numbers, the model's {width}")

    def _keys(self) -> tuple[dict[str, Any], list[dict[str, str]]]:
        try:
            lines = (self.root / _KEYS).read_bytes().decode("utf-8").split("\n")
            header, *rows = [json.loads(line) for line in lines if line]
            keys = [{name: str(row[name]) for name in ("file", "name", "hash")} for row in rows]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return {}, []
        if not isinstance(header, dict) or not _MATRIX.fullmatch(str(header.get("vectors_file"))):
            return {}, []
        return header, keys

    def _write(
        self, keys: list[dict[str, str]], rows: Iterable[Sequence[float]], width: int, model: object
    ) -> None:
        os.makedirs(self.root, exist_ok=True)
        with StoreLock(str(self.root / ".lock")):
            number = 1 + max(
                (int(found[1]) for found in map(_MATRIX.fullmatch, self._names()) if found), default=0
            )
            name = f"vectors-{number:06}.npy"
            atomic.write(str(self.root / name), Matrix.encoded(rows, len(keys), width))
            header = {"vectors_file": name, "model": model, "dim": width}
            lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in [header, *keys])
            atomic.write(str(self.root / _KEYS), "".join(lines).encode("utf-8", "backslashreplace"))
            self._sweep(name)

    def _clear(self) -> None:
        if (self.root / _KEYS).exists():
            (self.root / _KEYS).unlink()
        self._sweep("")

    def _sweep(self, current: str) -> None:
        """Remove older matrices; one that a reader on Windows still holds goes next time."""
        for name in self._names():
            if _MATRIX.fullmatch(name) and name != current:
                try:
                    os.unlink(self.root / name)
                except OSError:
                    pass

    def _names(self) -> list[str]:
        try:
            return os.listdir(self.root)
        except OSError:
            return []


class MemmapVectorIndex:
    """The rows of a matrix nearest to a query by cosine.

    Up to ``binary_threshold`` rows each is compared in full; above it one bit a number (positive or not)
    chooses four times as many as are wanted, and only those are.
    """

    def __init__(self, matrix: Rows, *, binary_threshold: int = 10_000) -> None:
        self._matrix = matrix
        self._signs = (
            [_bits(array("f", row)) for row in map(matrix.__getitem__, range(len(matrix)))]
            if len(matrix) > binary_threshold
            else []
        )

    def __len__(self) -> int:
        return len(self._matrix)

    def search(self, query: Sequence[float], top_k: int) -> list[tuple[int, float]]:
        """``top_k`` rows with their cosine, the best first; 0 for a row of zeros."""
        asked = unit(query)
        rows: Iterable[int] = range(len(self._matrix))
        if self._signs and top_k * _RERANKED < len(self._matrix):
            mine = _bits(asked)
            far = sorted(rows, key=lambda row: (mine ^ self._signs[row]).bit_count())
            rows = sorted(far[: top_k * _RERANKED])
        found = [(row, self.similarity(asked, row)) for row in rows]
        found.sort(key=lambda one: -one[1])
        return found[: max(0, top_k)]

    def similarity(self, asked: array[float], row: int) -> float:
        """The cosine of a row with a query of length 1; 0 for a row of numbers that are none."""
        try:
            return cosine(asked, unit(self._matrix[row]))
        except ValueError:
            return 0.0


class HttpEmbedder:
    """An OpenAI-compatible ``POST {base_url}/embeddings``; its client is loaded and made at first use."""

    def __init__(
        self, base_url: str, model: str, *, api_key: str | None = None, timeout: float = 10.0
    ) -> None:
        self.base_url, self.model = base_url, model
        self._api_key, self._timeout = api_key or "", timeout
        self._client: Any = None

    def embed(self, texts: list[str]) -> list[list[float]]:
        """The vectors of ``texts`` in their order. Raises EndpointFailed."""
        from memex_core.learn.endpoint import Endpoint, embed

        endpoint = Endpoint("custom", self.model, self.base_url, self._api_key, self._timeout)
        if self._client is None:
            self._client = endpoint.client(retries=0)
        return embed(self._client, endpoint, texts)


def _vectors(answer: Sequence[Sequence[float]], count: int) -> list[array[float]]:
    """The answer of an embedder as rows. Raises ValueError unless it has ``count`` of one width, all finite:
    what is kept once is never asked for again."""
    rows = [array("f", vector) for vector in answer]
    if len(rows) != count or len({len(row) for row in rows}) != 1 or not rows[0]:
        raise ValueError("the embedder did not give one vector of the same width for each text")
    for row in rows:
        unit(row)
    return rows


def _bits(vector: array[float]) -> int:
    """One bit a number: set where it is positive."""
    return int(packed(vector)[3::4].translate(_POSITIVE), 2)
