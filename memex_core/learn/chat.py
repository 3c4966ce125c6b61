"""Asking a chat model once, whatever serves it: an endpoint of OpenAI's API, or an agent's own command.

What goes wrong is a :class:`ModelFailed` with a code of :mod:`memex_core.learn.failures`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.learn import agent_cli
from memex_core.learn.endpoint import BASES, Body, Endpoint, EndpointFailed, asked, read_body, within
from memex_core.learn.failures import failure
from memex_core.model import loose_json
from memex_core.model.errors import BadInput, MemexError

if TYPE_CHECKING:
    from memex_core.files.config import Config

FIELDS = ("provider", "model", "api_base", "api_key", "reasoning", "timeout", "max_tokens")
_AGENT_PATIENCE = 300  # seconds that an agent's command may take where nothing is set: it starts a program


class ModelFailed(MemexError):
    """The model was not asked, or gave no answer. ``code`` is one of the table's."""

    def __init__(self, code: str, message: str, *, hint: str = "", raw: str = "") -> None:
        super().__init__(message, hint=hint or failure(code).next)
        self.code = code
        self.raw = raw


class Reply(NamedTuple):
    """What a model said. Tokens are None where nobody counted; ``cut``: it was stopped while speaking."""

    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    cut: bool


class Model(NamedTuple):
    """The chat model in force. ``origins`` says of each field where its value is from: ``default``, or
    ``file`` or ``env`` with the name of the table or variable."""

    provider: str
    model: str
    api_base: str
    api_key: str
    reasoning: str
    timeout: int
    max_tokens: int
    origins: dict[str, str]

    @classmethod
    def of(cls, config: Config) -> Model:
        """As ``[consolidation]`` says, and ``[llm]`` where that is silent.

        A key and an address belong to their provider: those of ``[llm]`` are not used for another one, nor
        is its reasoning for another model.
        """
        from memex_core.files.config import ENVIRONMENT

        variables = {place: name for name, place in ENVIRONMENT.items()}
        own, general = config.consolidation, config.llm
        other = bool(own.provider) and own.provider.lower() != general.provider.lower()
        apart = {"model", "api_base", "api_key"} if other else set()
        apart |= {"reasoning"} if other or own.model else set()
        values: dict[str, Any] = {}
        origins: dict[str, str] = {}
        for field in FIELDS:
            table, held = "consolidation", own
            if not getattr(own, field) and field not in apart:
                table, held = "llm", general  # type: ignore[assignment]
            values[field] = getattr(held, field)
            origin = config.origin(f"{table}.{field}")
            place = {"env": variables.get((table, field), ""), "file": f"[{table}]"}.get(origin, "")
            origins[field] = f"{origin} {place}".strip()
        values["provider"] = values["provider"].strip().lower()
        if values["provider"] in agent_cli.AGENTS and origins["timeout"] == "default":
            values["timeout"] = _AGENT_PATIENCE
        return cls(**values, origins=origins)

    @property
    def name(self) -> str:
        """``provider/model``, for people and for the journal."""
        return f"{self.provider}/{self.model or 'its own'}" if self.provider else ""

    def fingerprint(self) -> str:
        """Tells two selections apart without saying what they are."""
        from memex_core.files.atomic import digest

        key = self.api_key or _environment_key(self.provider)
        parts = (self.provider, self.model, self.api_base, key, *filter(None, [self.reasoning]))
        return digest("\n".join(parts).encode("utf-8", "replace"))

    def check(self) -> None:
        """Raises ModelFailed when the settings name no model that could be asked. Asks nothing."""
        if not self.provider:
            raise ModelFailed("no-model", "no model is named in [consolidation] or [llm]")
        if self.provider in agent_cli.AGENTS:
            if not agent_cli.installed(self.provider):
                raise ModelFailed("agent-missing", f"the command {self.provider} is not installed")
            return
        if self.provider not in BASES:
            known = ", ".join([*BASES, *agent_cli.AGENTS])
            message = f"the provider {self.provider!r} is not known"
            raise ModelFailed("bad-settings", message, hint=f"one of {known}")
        self._endpoint()

    def ask(self, system: str, prompt: str) -> Reply:
        """One call, and no second try. Raises ModelFailed."""
        self.check()
        if self.provider in agent_cli.AGENTS:
            try:
                question = f"{system}\n\n{prompt}"
                said = agent_cli.ask(self.provider, self.model, question, self.timeout, self.reasoning)
            except agent_cli.AgentFailed as error:
                raise ModelFailed(error.code, error.message, raw=error.raw) from None
            return Reply(said.text, said.prompt_tokens, said.completion_tokens, False)
        endpoint = self._endpoint()
        client = endpoint.client(retries=0)

        def late() -> Exception:
            return ModelFailed("endpoint-slow", f"{endpoint.at} did not answer within {self.timeout} seconds")

        limit = "max_completion_tokens" if self.provider == "openai" else "max_tokens"
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]

        def call() -> Body:
            given: dict[str, Any] = {"model": self.model, "messages": messages, limit: self.max_tokens}
            if self.reasoning:
                given["reasoning_effort"] = self.reasoning
            with client.chat.completions.with_streaming_response.create(**given) as response:
                return read_body(response.iter_bytes())

        try:
            return reply_of(endpoint, within(self.timeout + 1, lambda: asked(endpoint, call), late))
        except EndpointFailed as error:
            raise ModelFailed(error.kind, error.message, hint=error.hint) from None

    def _endpoint(self) -> Endpoint:
        table = "consolidation"
        try:
            return Endpoint.of(self, table)
        except BadInput as error:
            raise ModelFailed("bad-settings", error.message, hint=error.hint) from None


def _environment_key(provider: str) -> str:
    import os

    return os.environ.get("OPENAI_API_KEY", "") if provider == "openai" else ""


def reply_of(endpoint: Endpoint, body: Body) -> Reply:
    """What was said, out of the API's envelope: whole, or in the pieces of a stream that nobody asked for.

    Raises ModelFailed, with the text as it came, when nothing is in it.
    """
    text = body.data.decode("utf-8", "replace")
    parts = [part for part in loose_json.read(text).values if isinstance(part, dict)]
    said: list[str] = []
    streamed, finish, usage = False, None, {}
    for part in parts:
        if isinstance(part.get("usage"), dict):
            usage = part["usage"]
        choices = part.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            continue
        finish = choice.get("finish_reason") or finish
        streamed = streamed or "delta" in choice
        holder = choice.get("delta" if "delta" in choice else "message")
        if isinstance(holder, dict):
            said.append(_text(holder.get("content")))
    if not said:
        why = f"broke off in its answer ({body.broke})" if body.broke else "gave no usable answer"
        raw = text.replace(endpoint.key, "(the key)") if endpoint.key else text
        raise ModelFailed("endpoint-failed", f"{endpoint.at} {why}", raw=raw)
    return Reply(
        "".join(said),
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        finish == "length" or bool(body.broke) or (streamed and finish is None and "[DONE]" not in text),
    )


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
