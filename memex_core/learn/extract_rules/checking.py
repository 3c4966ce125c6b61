"""Whether a machine may store a text: every ban is tried on it, and any doubt holds it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memex_core.learn.extract_rules.document import Entry
from memex_core.learn.extract_rules.forms import forms_of
from memex_core.learn.extract_rules.rules import Rules
from memex_core.recall.gate import quarantine
from memex_core.recall.gate.matcher import WORK, Expression, Matcher

LONGEST = 500_000  # characters of one text
PATIENCE = 120.0  # seconds that an answer may take on the clock: what is stored can wait for a busy machine
_PER_WORK = 4_000  # characters for which WORK is enough


class Text(NamedTuple):
    """A text and what it is: ``text`` would be stored, ``evidence`` is what that is drawn from."""

    scope: str
    text: str


class Verdict(NamedTuple):
    """``blocked``: the bans that fit. ``held``: why nothing can be said, so that nothing may be stored."""

    blocked: tuple[Entry, ...] = ()
    held: str = ""

    @property
    def ok(self) -> bool:
        return not self.blocked and not self.held

    @property
    def reason(self) -> str:
        """One line for people; empty when all is well. It repeats nothing of the text."""
        if self.held:
            return self.held
        return "; ".join(
            f"rule {entry.id} keeps this out" + (f" ({entry.note})" if entry.note else "")
            for entry in self.blocked
        )


class Checker:
    """Checks any number of texts with one process; close it, or use ``with``. Not for several threads."""

    def __init__(self, rules: Rules, *, patience: float | None = None) -> None:
        self._rules = rules
        self._matcher = Matcher(patience=PATIENCE if patience is None else patience)

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, *_: object) -> None:
        self._matcher.close()

    def check(self, texts: Iterable[Text], *, project: str = "", known: Sequence[Text] = ()) -> Verdict:
        """Whether ``texts`` may be stored in a project.

        ``known`` is what a page said before: a ban that fitted it already is tried on new lines only, so
        that what a person wrote does not keep a machine from the rest of the page.
        """
        rules = self._rules
        if rules.problems:
            return Verdict(held=f"the rules of extraction do not load: {rules.problems[0]}")
        bans = rules.of("never", project)
        if not bans:
            return Verdict()
        if rules.layout is not None:
            aside = {row["hash"] for row in quarantine.read(rules.layout, "extract")}
            slow = next((ban for ban in bans if ban.hash in aside), None)
            if slow is not None:
                return Verdict(held=f"rule {slow.id} is set aside for taking too long, so nothing passes it")
        found: dict[str, Entry] = {}
        lines = {line for one in known for line in one.text.split("\n")}
        for text in texts:
            fit, held = self._fitting(text, bans)
            if held:
                return Verdict(held=held)
            again = [ban for ban in fit if known and self._held_before(ban, known)]
            new = "\n".join(line for line in text.text.split("\n") if line not in lines)
            if again:
                still, held = self._fitting(text._replace(text=new), again)
                if held:
                    return Verdict(held=held)
                fit = [ban for ban in fit if ban not in again or ban in still]
            found |= {ban.id: ban for ban in fit}
        return Verdict(tuple(found.values()))

    def _held_before(self, ban: Entry, known: Sequence[Text]) -> bool:
        return any(ban in self._fitting(text, (ban,))[0] for text in known)

    def _fitting(self, text: Text, bans: Sequence[Entry]) -> tuple[list[Entry], str]:
        """The bans that fit a text, or why that cannot be told."""
        tried = [ban for ban in bans if ban.scope in (text.scope, "both")]
        if not tried or not text.text:
            return [], ""
        if len(text.text) > LONGEST:
            return [], f"a text of {len(text.text):,} characters is too long for the rules of extraction"
        expressions = [Expression(ban.id, ban.said, ban.re_flags) for ban in tried]
        fit: set[str] = set()
        for form in forms_of(text.text):
            work = WORK * (1 + len(form) / _PER_WORK)
            matched = self._matcher.match(expressions, form, work=work)
            if matched.unavailable:
                return [], f"the rules of extraction cannot be tried: {matched.unavailable}"
            if matched.culprit:
                self._set_aside(
                    next(ban for ban in tried if ban.id == matched.culprit), matched.elapsed_ms, form
                )
                return [], f"rule {matched.culprit} took too long and is set aside, so nothing passes it"
            if matched.broken:
                return [], f"rule {matched.broken[0]} is no regular expression, so nothing passes it"
            fit.update(matched.ids)
        return [ban for ban in tried if ban.id in fit], ""

    def _set_aside(self, ban: Entry, elapsed_ms: float, text: str) -> None:
        if self._rules.layout is not None:
            quarantine.put(self._rules.layout, ban.id, ban.hash, elapsed_ms, len(text), "extract")


def check(texts: Iterable[Text], rules: Rules, *, project: str = "", known: Sequence[Text] = ()) -> Verdict:
    """Whether a machine may store ``texts`` in a project, by rules that :func:`load` read. Never raises."""
    with Checker(rules) as checker:
        return checker.check(texts, project=project, known=known)
