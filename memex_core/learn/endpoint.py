"""The one place that talks to a model: a client of the OpenAI SDK for any endpoint that speaks its API.

What goes wrong becomes an :class:`EndpointFailed` in words of our own: an endpoint's answer may repeat the
text or the key that it was sent.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from memex_core.model.errors import BadInput, MemexError

if TYPE_CHECKING:
    import openai

    from memex_core.files.config import Embed, Llm
    from memex_core.learn.chat import Model

T = TypeVar("T")

LARGEST = 4_000_000
"""Bytes of an answer that are read."""

BASES = {
    "openai": "https://api.openai.com/v1",
    "ollama": "http://localhost:11434/v1",
    "lmstudio": "http://localhost:1234/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "custom": "",
}
"""Provider -> its own address; ``custom`` needs ``api_base``."""


class EndpointFailed(MemexError):
    """The endpoint could not be asked, or what it said is no answer.

    ``down``: it cannot be reached or used at all now, so that asking again at once is of no use. ``refused``:
    it would not take this very request. ``kind`` is its code in :mod:`memex_core.learn.failures`.
    """

    code = "endpoint-failed"

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        down: bool = False,
        refused: bool = False,
        kind: str = "endpoint-failed",
    ) -> None:
        super().__init__(message, hint=hint)
        self.down = down
        self.refused = refused
        self.kind = kind


class Endpoint(NamedTuple):
    """Where a model is asked. ``timeout`` is in seconds, for one request."""

    provider: str
    model: str
    base: str
    key: str
    timeout: float

    @classmethod
    def of(cls, settings: Embed | Llm | Model, table: str) -> Endpoint:
        """From a table of ``memex.toml``. Raises BadInput naming the setting that is missing."""
        provider = settings.provider.strip().lower()
        if provider not in BASES:
            raise BadInput(
                f"[{table}] provider {settings.provider!r} is not known", hint=f"one of {', '.join(BASES)}"
            )
        base = settings.api_base or BASES[provider]
        if not base:
            raise BadInput(f"[{table}] api_base is missing", hint="the address up to and with /v1")
        if not settings.model:
            raise BadInput(f"[{table}] model is missing", hint="name the model that the endpoint serves")
        return cls(provider, settings.model, base, settings.api_key, settings.timeout)

    @property
    def at(self) -> str:
        """The host, for people."""
        from urllib.parse import urlsplit

        return urlsplit(self.base).netloc.rpartition("@")[2] or self.base

    def client(self, *, timeout: float = 0, retries: int = 2) -> openai.OpenAI:
        """A client; it opens no connection yet. Key, organization and project of the environment are OpenAI's
        own and go to no other endpoint."""
        import os

        import openai

        key = self.key or (os.environ.get("OPENAI_API_KEY", "") if self.provider == "openai" else "")
        client = openai.OpenAI(
            api_key=key or "none",
            base_url=self.base,
            timeout=timeout or self.timeout,
            max_retries=retries,
        )
        if self.provider != "openai":
            client.organization = client.project = None
        return client


def embed(
    client: openai.OpenAI, endpoint: Endpoint, texts: Sequence[str], *, dimensions: int = 0
) -> list[list[float]]:
    """A vector for each of ``texts``, in order. Raises EndpointFailed."""
    more: dict[str, Any] = {"dimensions": dimensions} if dimensions else {}

    def ask() -> Any:
        # Told to be plain numbers: not every server knows the SDK's own default, base64.
        return client.embeddings.create(
            input=list(texts), model=endpoint.model, encoding_format="float", **more
        )

    answer = asked(endpoint, ask)
    try:
        rows = sorted(answer.data, key=lambda row: row.index)
        vectors = [[float(value) for value in row.embedding] for row in rows]
        numbers = [row.index for row in rows]
    except (AttributeError, TypeError, ValueError):
        raise _no_answer(endpoint) from None
    one_each = numbers == list(range(len(texts))) and len({len(vector) for vector in vectors}) == 1
    if not (one_each and vectors[0] and all(isfinite(value) for vector in vectors for value in vector)):
        raise _no_answer(endpoint)
    return vectors


def asked(endpoint: Endpoint, ask: Callable[[], T]) -> T:
    """What ``ask`` returns; the SDK's exceptions as EndpointFailed."""
    import openai

    at = endpoint.at

    def down(message: str, hint: str, kind: str) -> EndpointFailed:
        return EndpointFailed(message, hint=hint, down=True, kind=kind)

    try:
        return ask()
    except openai.APITimeoutError:
        raise down(f"{at} did not answer in time", "is it busy?", "endpoint-slow") from None
    except openai.APIConnectionError:
        raise down(f"{at} cannot be reached", "is it running?", "endpoint-down") from None
    except (openai.AuthenticationError, openai.PermissionDeniedError):
        raise down(f"{at} refused the API key", "check api_key", "key-refused") from None
    except openai.NotFoundError:
        message = f"{at} does not know the model {endpoint.model}"
        raise down(message, "check model and api_base", "model-unknown") from None
    except openai.RateLimitError:
        raise down(f"{at} takes no more requests now", "try again later", "endpoint-busy") from None
    except openai.APIStatusError as error:
        server = error.status_code >= 500
        message = f"{at} answered with the error {error.status_code}"
        raise EndpointFailed(message, down=server, refused=not server) from None
    except (openai.OpenAIError, ValueError, TypeError, AttributeError):
        raise _no_answer(endpoint) from None


class Body(NamedTuple):
    """What came of an answer; ``broke`` says why the rest of it did not come."""

    data: bytes
    broke: str


def read_body(pieces: Iterator[bytes]) -> Body:
    """The pieces put together, up to :data:`LARGEST` bytes. What came before a break is kept."""
    data = bytearray()
    try:
        for piece in pieces:
            data += piece
            if len(data) > LARGEST:
                return Body(bytes(data[:LARGEST]), f"it is longer than {LARGEST:,} bytes")
    except Exception as error:  # of the library below the SDK, which is another one in each of its versions
        late = "timeout" in type(error).__name__.lower()
        return Body(bytes(data), "the rest did not come in time" if late else "the connection ended")
    return Body(bytes(data), "")


def within(seconds: float, act: Callable[[], T], late: Callable[[], Exception]) -> T:
    """The result of ``act``, or ``late()`` raised when it takes longer: the SDK's timeout counts anew with
    each byte that trickles in. The call goes on in a thread that keeps no process alive."""
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(act())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, name="memex-endpoint", daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if done:
        return done[0]
    raise late()


def _no_answer(endpoint: Endpoint) -> EndpointFailed:
    hint = f"is {endpoint.model} a model for this?"
    return EndpointFailed(f"{endpoint.at} gave no usable answer", hint=hint)
