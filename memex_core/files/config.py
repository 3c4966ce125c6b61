"""Settings: defaults, then ``memex.toml``, then the environment; each knows where it came from.

A wrong value is reported and the default used, an unknown key kept and reported; only no TOML is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from memex_core.files.opening import regular
from memex_core.model.errors import Damaged

if TYPE_CHECKING:
    from .layout import Layout


class Section:
    """One table of the file: attributes of the declared types. Read only.

    ``unknown`` holds the keys that memex does not know, as parsed.
    """

    def __init__(self) -> None:
        self.unknown: dict[str, Any] = {}


class DataDir(Section):
    path: str = ""  # another place for the memory that ``~/.memex`` stands for


class Llm(Section):
    """A chat model. No provider named: no model is ever called."""

    provider: str = ""  # openai, ollama, lmstudio, openrouter, custom; claude, codex, pi
    model: str = ""
    api_base: str = ""  # empty: the provider's own
    api_key: str = ""
    reasoning: str = ""  # how hard it thinks, where it can be told; empty: as it is used to
    timeout: int = 60  # seconds
    max_tokens: int = 4096


class Consolidation(Section):
    """The model that consolidates; what is empty (0) is taken from ``[llm]``."""

    provider: str = ""
    model: str = ""
    api_base: str = ""
    api_key: str = ""
    reasoning: str = ""
    timeout: int = 0
    max_tokens: int = 0
    auto: bool = False  # consolidate when a session ends
    max_episodes: int = 10  # conversations a run looks at
    max_calls: int = 20  # calls of the model a run may make; 0: none
    max_calls_per_day: int = 100  # and all runs of 24 hours; 0: none
    max_attempts: int = 3  # at the same turns, before a person has to say so
    max_input_tokens: int = 12_000  # of a conversation in one call
    settle_minutes: int = 15  # of silence after which the last exchange counts as finished


class Bm25(Section):
    default_top_k: int = 10  # hits of a recall that is not told how many


class RecencyDecay(Section):
    enabled: bool = True
    half_life_days: int = 30


class Index(Section):
    watch_poll_interval: float = 60  # seconds between reconciling walks of a watcher; 0: never
    freshness_ms: int = 250  # what one command may spend on looking for outside edits


class Pages(Section):
    default_importance: float = 0.5
    max_body_chars: int = 50_000  # above it a page is written with a warning
    slug_algo: str = "kebab"


class Governance(Section):
    """Whose writes wait for review: ``approval`` of people's, ``knowledge_approval`` of models'."""

    approval: str = "auto"
    knowledge_approval: str = "manual"


SCRUB_OFF = 'secrets are stored as they are written: [capture] scrub is "off"'


class Capture(Section):
    agents: tuple[str, ...] = ()  # which agents' session files to read; empty: all that are found
    exclude: tuple[str, ...] = ()  # folder patterns of projects whose sessions stay uncaptured
    auto: bool = True  # hooks capture the session they run in
    scrub: str = "on"  # "off": secrets are stored as they are written
    scrub_allow: tuple[str, ...] = ()  # texts that are no secrets; * stands for any characters


class Embed(Section):
    """Vectors beside words. No provider named: none are made, and nothing is ever sent."""

    provider: str = ""  # openai, ollama, lmstudio, openrouter, custom (any server of that API)
    model: str = ""
    api_base: str = ""  # empty: the provider's own
    api_key: str = ""
    weight: float = 0.75  # what nearness counts beside the words, a full match of which is about 1 to 2
    dimensions: int = 0  # numbers in a vector, for models that can shorten theirs; 0: as the model does
    timeout: int = 60  # seconds for a request with a batch of texts
    query_timeout: float = 1.0  # seconds that a search waits for its question's vector
    batch: int = 64  # texts in a request


class Logging(Section):
    level: str = "INFO"  # what changes or recalls; DEBUG: whatever is asked
    file: str = ""  # empty: logs/memex.log beside the journal


class Recall(Section):
    budget: int = 0  # tokens of a recall; 0: no limit
    context_budget: int = 2000  # tokens of the block an agent gets
    expand: bool = False  # links and backlinks of hits too
    count: bool = True  # recall counts as an access
    priors: float = 0  # how much importance, freshness and use count in the order of pages; 0: nothing


class Editor(Section):
    tab_width: int = 4  # cells
    wrap: bool = True  # long lines go on in the next row


class Keys(Section):
    """Key bindings: ``preset``, and in ``unknown`` the commands bound anew (id to key or keys)."""

    preset: str = "default"


class Config:
    """All settings of one memory: ``config.pages.max_body_chars``.

    ``warnings`` are lines for people; ``path`` is the file, whether or not it exists.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.warnings: list[str] = []
        self._origin: dict[str, str] = {}
        self.data_dir = DataDir()
        self.llm = Llm()
        self.consolidation = Consolidation()
        self.bm25 = Bm25()
        self.recency_decay = RecencyDecay()
        self.index = Index()
        self.pages = Pages()
        self.governance = Governance()
        self.capture = Capture()
        self.embed = Embed()
        self.logging = Logging()
        self.recall = Recall()
        self.editor = Editor()
        self.keys = Keys()

    def origin(self, key: str) -> str:
        """Where the value of ``"section.key"`` came from: ``default``, ``file`` or ``env``."""
        return self._origin.get(key, "default")

    def described(self) -> list[dict[str, Any]]:
        """Every setting as ``{key, value, origin}``, in order; API keys only as set or not."""
        rows: list[dict[str, Any]] = []
        for name in SECTIONS:
            section = getattr(self, name)
            for key in [*_fields(type(section)), *section.unknown]:
                full = f"{name}.{key}"
                value = section.unknown[key] if key in section.unknown else getattr(section, key)
                if key == "api_key":
                    value = "(set)" if value else ""
                rows.append({"key": full, "value": value, "origin": self.origin(full)})
        return rows

    def take(self, section: str, key: str, value: Any, origin: str) -> None:
        """Set one value, or warn and leave it when it is of the wrong kind."""
        held: Section = getattr(self, section)
        kind = _fields(type(held)).get(key)
        name = f"[{section}] {key}"
        if kind is None:
            held.unknown[key] = value
            self._origin[f"{section}.{key}"] = origin
            if f"{section}.{key}" in _RETIRED:
                self._retired(f"{section}.{key}", value)
            elif section != "keys":
                self.warnings.append(f"{self._place(origin)}: {name} is not a setting of memex")
            return
        value, reason = _read(f"{section}.{key}", kind, value)
        if reason:
            self.warnings.append(f"{self._place(origin)}: {name} {reason}; {self._kept(section, key)}")
            return
        setattr(held, key, value)
        self._origin[f"{section}.{key}"] = origin

    def _retired(self, full: str, value: Any) -> None:
        usual, why = _RETIRED[full]
        if value != usual:
            section, _, key = full.partition(".")
            self.warnings.append(f"{self.path}: [{section}] {key} has no effect: {why}")

    def _kept(self, section: str, key: str) -> str:
        return f"the {self.origin(f'{section}.{key}')} value is used"

    def _place(self, origin: str) -> str:
        return self.path if origin == "file" else "environment"


SECTIONS = (
    "data_dir",
    "llm",
    "consolidation",
    "bm25",
    "recency_decay",
    "index",
    "pages",
    "governance",
    "capture",
    "embed",
    "logging",
    "recall",
    "editor",
    "keys",
)
_OLDER = {"wiki": "pages"}
_RETIRED: dict[str, tuple[Any, str]] = {
    "app.name": ("memex", "a memory is named by its folder"),
    "bm25.k1": (1.5, "words are ranked as was measured to find best"),
    "bm25.b": (0.75, "words are ranked as was measured to find best"),
    "index.auto_rebuild_on_startup": (False, "the index follows the folder by itself"),
}
"""Settings that would change nothing: the value older files have, and what to tell who asks for another."""

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
"""Words for how hard a model thinks; which of them it knows, it says itself."""

_ALLOWED = {
    "llm.reasoning": ("", *EFFORTS),
    "consolidation.reasoning": ("", *EFFORTS),
    "pages.slug_algo": ("kebab", "sha1"),
    "governance.approval": ("auto", "manual"),
    "governance.knowledge_approval": ("auto", "manual"),
    "capture.scrub": ("on", "off"),
    "logging.level": ("DEBUG", "INFO", "WARNING", "ERROR"),
    "keys.preset": ("default", "vim", "emacs"),
}
_RANGE: dict[str, tuple[float, float]] = {
    "llm.timeout": (1, 3600),
    "llm.max_tokens": (1, 10_000_000),
    "consolidation.timeout": (0, 3600),
    "consolidation.max_tokens": (0, 10_000_000),
    "consolidation.max_episodes": (1, 1000),
    "consolidation.max_calls": (0, 10_000),
    "consolidation.max_calls_per_day": (0, 100_000),
    "consolidation.max_attempts": (1, 100),
    "consolidation.max_input_tokens": (500, 1_000_000),
    "consolidation.settle_minutes": (0, 10_080),
    "bm25.default_top_k": (1, 100),
    "recency_decay.half_life_days": (1, 36_500),
    "index.watch_poll_interval": (0, 86_400),
    "index.freshness_ms": (0, 600_000),
    "pages.default_importance": (0, 1),
    "pages.max_body_chars": (1, 1_000_000_000),
    "embed.weight": (0, 10),
    "embed.dimensions": (0, 65_536),
    "embed.timeout": (1, 3600),
    "embed.query_timeout": (0.05, 60),
    "embed.batch": (1, 2048),
    "editor.tab_width": (1, 16),
    "recall.priors": (0, 1),
    "recall.budget": (0, 10_000_000),
    "recall.context_budget": (1, 10_000_000),
}

ENVIRONMENT = {
    "MEMEX_API_KEY": ("llm", "api_key"),
    "MEMEX_LLM_PROVIDER": ("llm", "provider"),
    "MEMEX_LLM_MODEL": ("llm", "model"),
    "MEMEX_EMBED_API_KEY": ("embed", "api_key"),
    "MEMEX_LOG_LEVEL": ("logging", "level"),
    "MEMEX_CONSOLIDATE_PROVIDER": ("consolidation", "provider"),
    "MEMEX_CONSOLIDATE_MODEL": ("consolidation", "model"),
    "MEMEX_CONSOLIDATE_API_KEY": ("consolidation", "api_key"),
    "MEMEX_AUTO_CONSOLIDATE": ("consolidation", "auto"),
}
"""The variables that are read, each with the section and key it sets."""
_SWITCH = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}

_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "str": (lambda value: isinstance(value, str), "text"),
    "bool": (lambda value: isinstance(value, bool), "true or false"),
    "int": (lambda value: isinstance(value, int) and not isinstance(value, bool), "a whole number"),
    "float": (
        lambda value: isinstance(value, int | float) and not isinstance(value, bool) and value == value,
        "a number",
    ),
    "tuple[str, ...]": (
        lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
        "a list of texts",
    ),
}


def load(layout: Layout, environ: Mapping[str, str]) -> Config:
    """The settings of a memory. Raises Damaged, naming file and line, for a file that is no TOML."""
    config = Config(layout.config)
    try:
        with open(layout.config, "rb", opener=regular) as file:
            data = file.read()
    except FileNotFoundError:
        data = b""
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        config.warnings.append(f"{layout.config} cannot be read ({reason}); defaults are used")
        data = b""
    if data.strip():
        _take_file(config, parse(data, layout.config))
    for variable, (section, key) in ENVIRONMENT.items():
        value: Any = environ.get(variable, "")
        if value:
            if _fields(type(getattr(config, section)))[key] == "bool":
                value = _SWITCH.get(value.strip().lower(), value)
            config.take(section, key, value, "env")
    return config


def parse(data: bytes, path: str) -> dict[str, Any]:
    """The tables of a TOML file; raises Damaged."""
    import re
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Damaged(f"{path}, line {line}: not UTF-8", hint="save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        text = str(error)
        place = re.search(r"\(at line (\d+), column \d+\)", text)
        line = int(place.group(1)) if place else data.rstrip().count(b"\n") + 1
        why = re.sub(r" *\(at [^)]*\)\Z", "", text)
        raise Damaged(f"{path}, line {line}: {why}", hint="correct the line or remove the file") from None


def data_dir(data: bytes) -> str:
    """``[data_dir] path`` of a config file's bytes; empty without one, or when they are no TOML."""
    try:
        table = parse(data, "").get("data_dir")
    except Damaged:
        return ""  # loading the settings will say so
    path = table.get("path") if isinstance(table, dict) else None
    return path if isinstance(path, str) else ""


def _take_file(config: Config, tables: dict[str, Any]) -> None:
    # The older name first, so that the newer one wins where a file has both.
    for name in sorted(tables, key=lambda name: name not in _OLDER):
        table, section = tables[name], _OLDER.get(name, name)
        if section not in SECTIONS:
            keys = {f"{name}.{key}": value for key, value in table.items()} if isinstance(table, dict) else {}
            if any(full not in _RETIRED for full in keys or ("",)):
                config.warnings.append(f"{config.path}: [{name}] is not a table of memex")
            else:
                for full, value in keys.items():
                    config._retired(full, value)
        elif not isinstance(table, dict):
            config.warnings.append(f"{config.path}: {name} must be a table; defaults are used")
        else:
            for key, value in table.items():
                config.take(section, key, value, "file")


def _fields(section: type[Section]) -> dict[str, str]:
    """The declared settings of a section and the text of their types."""
    return section.__annotations__


def _read(name: str, kind: str, value: Any) -> tuple[Any, str]:
    """The value to keep, and what is wrong with it (empty: nothing)."""
    fits, expected = _KINDS[kind]
    if not fits(value):
        return value, f"must be {expected}"
    if name in _ALLOWED:
        allowed = {one.lower(): one for one in _ALLOWED[name]}
        fit = allowed.get(value.strip().lower())
        return fit, f"must be one of {', '.join(filter(None, allowed.values()))}" if fit is None else ""
    if name in _RANGE:
        low, high = _RANGE[name]
        if not low <= value <= high:
            return value, f"must lie between {low:g} and {high:g}"
    if kind == "float":
        return float(value), ""
    return (tuple(value), "") if isinstance(value, list) else (value, "")
