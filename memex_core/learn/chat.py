"""Asking a chat model once, whatever serves it: an endpoint of OpenAI's API, or an agent's own command.

What goes wrong is a :class:`ModelFailed` with a code of :mod:`memex_core.learn.failures`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memex_core.learn import agent_cli
from memex_core.learn.endpoint import BASES, Endpoint, EndpointFailed, asked, within
from memex_core.learn.failures import failure
from memex_core.model.errors import BadInput, MemexError

if TYPE_CHECKING:
    from memex_core.files.config import Config

FIELDS = ("provider", "model", "api_base", "api_key", "timeout", "max_tokens")
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
    timeout: int
    max_tokens: int
    origins: dict[str, str]

    @classmethod
    def of(cls, config: Config) -> Model:
        """As ``[consolidation]`` says, and ``[llm]`` where that is silent.

        A key and an address belong to their provider: those of ``[llm]`` are not used for another one.
        """
        from memex_core.files.config import ENVIRONMENT

        variables = {place: name for name, place in ENVIRONMENT.items()}
        own, general = config.consolidation, config.llm
        other = bool(own.provider) and own.provider.lower() != general.provider.lower()
        values: dict[str, Any] = {}
        origins: dict[str, str] = {}
        for field in FIELDS:
            table, held = "consolidation", own
            if not getattr(own, field) and not (other and field in ("model", "api_base", "api_key")):
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
        return digest("\n".join((self.provider, self.model, self.api_base, key)).encode("utf-8", "replace"))

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
                said = agent_cli.ask(self.provider, self.model, f"{system}\n\n{prompt}", self.timeout)
            except agent_cli.AgentFailed as error:
                raise ModelFailed(error.code, error.message, raw=error.raw) from None
            return Reply(said.text, said.prompt_tokens, said.completion_tokens, False)
        endpoint = self._endpoint()
        client = endpoint.client(retries=0)

        def late() -> Exception:
            return ModelFailed("endpoint-slow", f"{endpoint.at} did not answer within {self.timeout} seconds")

        limit = "max_completion_tokens" if self.provider == "openai" else "max_tokens"
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]

        def call() -> Any:
            given: dict[str, Any] = {"model": self.model, "messages": messages, limit: self.max_tokens}
            return client.chat.completions.create(**given)

        try:
            return _reply(endpoint, within(self.timeout + 1, lambda: asked(endpoint, call), late))
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


def _reply(endpoint: Endpoint, answer: Any) -> Reply:
    """What the SDK hands over, which is whatever the server sent."""
    try:
        choice = answer.choices[0]
        said = choice.message.content
        stopped = getattr(choice, "finish_reason", None) == "length"
    except (AttributeError, IndexError, TypeError):
        raise ModelFailed("endpoint-failed", f"{endpoint.at} gave no usable answer") from None
    if isinstance(said, list):
        said = "".join(str(part.get("text") or "") for part in said if isinstance(part, dict))
    usage = getattr(answer, "usage", None)
    return Reply(
        said if isinstance(said, str) else "",
        _count(getattr(usage, "prompt_tokens", None)),
        _count(getattr(usage, "completion_tokens", None)),
        stopped,
    )


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
