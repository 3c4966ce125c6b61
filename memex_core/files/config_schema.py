"""What a setting may be: its kind, its choices, its range. What shows settings asks here."""

from __future__ import annotations

from typing import Any, NamedTuple

from memex_core.files import config
from memex_core.model.errors import BadInput


class Field(NamedTuple):
    """A setting ``table.key``. ``kind`` is ``str``, ``bool``, ``int``, ``float`` or ``list``; ``choices`` are
    all texts it may be (or none, where it is empty by default), ``low`` and ``high`` the ends of what a
    number may be."""

    id: str
    kind: str
    default: Any
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    secret: bool = False

    @property
    def may_be(self) -> str:
        """What it may be, in words; empty where anything goes."""
        if self.choices:
            return " or ".join(self.choices)
        if self.low is not None and self.high is not None:
            return (
                f"{self.low:,g} to {self.high:,.0f}" if self.high >= 1e4 else f"{self.low:g} to {self.high:g}"
            )
        return ""


def fields() -> dict[str, Field]:
    """Every declared setting of the file by its id, in the order of its tables."""
    found = {}
    blank = config.Config("")
    for table in config.SECTIONS:
        section = getattr(blank, table)
        for key, kind in config._fields(type(section)).items():
            id = f"{table}.{key}"
            low, high = config._RANGE.get(id, (None, None))
            found[id] = Field(
                id,
                "list" if kind.startswith("tuple") else kind,
                getattr(section, key),
                tuple(filter(None, config._ALLOWED.get(id, ()))),
                low,
                high,
                key == "api_key",
            )
    return found


def typed(field: Field, text: str) -> str | bool | int | float | list[str]:
    """The value that a person typed; a list has commas between. Raises BadInput, saying what it may be."""
    text = text.strip()
    value: Any = text
    if field.kind == "list":
        value = [part.strip() for part in text.split(",") if part.strip()]
    elif field.kind == "bool":
        value = config._SWITCH.get(text.lower(), text)
    elif field.kind in ("int", "float"):
        try:
            value = int(text.replace("_", "").replace(",", "")) if field.kind == "int" else float(text)
        except ValueError:
            value = text
    kind = "tuple[str, ...]" if field.kind == "list" else field.kind
    _, reason = config._read(field.id, kind, value)
    if reason:
        raise BadInput(f"{field.id} {reason}", hint=field.may_be)
    return value  # type: ignore[no-any-return]
