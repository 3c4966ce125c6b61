"""Who makes this store's vectors: the endpoint of ``[embed]``, or an embedder given in code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.model.errors import BadInput

if TYPE_CHECKING:
    from memex_core.actions.store import Store
    from memex_core.files.config import Embed as Settings
    from memex_core.files.scrubbing import Scrubber
    from memex_core.recall.fusion import Meaning

Embed = Callable[[list[str]], Sequence[Sequence[float]]]
"""Texts to vectors, one for each, in order."""


class Maker(NamedTuple):
    """``texts`` makes the vectors of many texts, ``question`` that of one, in the time a search has.

    ``name`` is who is asked (a host, or the model), ``dimensions`` is 0 where the model decides.
    """

    model: str
    name: str
    texts: Embed
    question: Callable[[str], Sequence[float]]
    dimensions: int = 0


def is_on(store: Store) -> bool:
    """Whether the user turned vectors on."""
    return store.embedder is not None or bool(store.config.embed.provider)


def maker(store: Store) -> Maker:
    """Raises BadInput where ``[embed]`` names none or lacks a setting."""
    if store.embedder is not None:
        return _of_object(store.embedder)
    settings = store.config.embed
    if not settings.provider:
        hint = "set provider and model under [embed] in memex.toml; until then nothing is sent anywhere"
        raise BadInput("vectors are off", hint=hint)
    if store.maker is None or store.maker[0] is not settings:
        store.maker = settings, _of_endpoint(settings)
    made: Maker = store.maker[1]
    return made


def meaning(store: Store) -> Meaning | None:
    """The vectors' part in a search; None where they are off. Settings that lack something are a warning."""
    if not is_on(store):
        return None
    from memex_core.recall.fusion import Meaning
    from memex_core.recall.question import LONGEST, Embedder

    try:
        made = maker(store)
    except BadInput as error:
        warning = f"{error}: words only"
        if warning not in store.warnings:
            store.warnings.append(warning)
        return None
    scrubber = strict(store)

    def asked(text: str) -> Sequence[float]:
        return made.question(scrubber.text(text)[:LONGEST])

    asker = Embedder(made.model, made.name, asked, made.dimensions)
    return Meaning(store.layout, asker, store.config.embed.weight)


def scrubbed(store: Store) -> Callable[[str], str]:
    """What :func:`strict` does to a text."""
    return strict(store).text


def strict(store: Store) -> Scrubber:
    """Takes secrets out of what is sent, also where the store keeps them (``[capture] scrub = "off"``)."""
    from memex_core.files.scrubbing import Scrubber

    return Scrubber(allow=store.config.capture.scrub_allow)


def _of_object(embedder: Any) -> Maker:
    call: Embed = getattr(embedder, "embed", embedder)
    model = str(getattr(embedder, "model", "") or getattr(embedder, "__name__", type(embedder).__name__))
    return Maker(model, model, call, lambda text: call([text])[0])


def _of_endpoint(settings: Settings) -> Maker:
    from memex_core.learn.endpoint import Endpoint, EndpointFailed, embed, within

    endpoint = Endpoint.of(settings, "embed")
    limit = settings.query_timeout
    clients: dict[str, Any] = {}  # they keep their connections

    def texts(many: list[str]) -> list[list[float]]:
        client = clients.get("texts") or endpoint.client()
        clients["texts"] = client
        return embed(client, endpoint, many, dimensions=settings.dimensions)

    def question(text: str) -> list[float]:
        client = clients.get("question") or endpoint.client(timeout=limit, retries=0)
        clients["question"] = client

        def late() -> EndpointFailed:
            return EndpointFailed(f"{endpoint.at} did not answer within {limit:g} s", down=True)

        return within(limit, lambda: embed(client, endpoint, [text], dimensions=settings.dimensions)[0], late)

    name = f"{endpoint.model}@{endpoint.base}"
    return Maker(endpoint.model, name, texts, question, settings.dimensions)
