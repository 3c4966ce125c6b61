"""Looking at the recall gate: what it would do with a prompt, which rules are in force, whether a file is
sound. Nothing here records a prompt."""

from __future__ import annotations

import os
from typing import Any

from memex_core.actions.store import Store
from memex_core.files import atomic
from memex_core.model.errors import BadInput, NotFound
from memex_core.recall import gate
from memex_core.recall.gate import REASONS, Decision, Rules, State, history, overlay, quarantine, thresholds
from memex_core.recall.gate.intents import INTENTS
from memex_core.recall.gate.matcher import Matcher
from memex_core.recall.gate.probe import too_slow
from memex_core.recall.gate.rules import BUILT_IN, KNOWN, WORD_RULES, file_of, read_file


def tried(
    store: Store, prompt: str, *, session: str | None = None, compare_builtin: bool = False
) -> dict[str, Any]:
    """What the gate decides on a prompt, and why; with ``session`` as that session's next one.

    An own rule that uses up its time is set aside for real, and ``overran`` names it.
    """
    state = state_of(store, session) if session else gate.NEUTRAL
    rules = gate.load(store.layout)
    decision = gate.decide(prompt, rules, state)
    fired: dict[str, list[dict[str, str]]] = {intent: [] for intent in INTENTS}
    for one in decision.fired:
        fired[one.intent].append({"id": one.id, "source": one.source})
    result: dict[str, Any] = {
        "prompt": prompt,
        "chars": len(prompt),
        "cut": decision.cut,
        **outcome(decision),
        "why": REASONS[decision.reason],
        "triggers": list(decision.triggers),
        "substantive": decision.substantive,
        "tokens": list(decision.tokens),
        "token_count": decision.size,
        "overlap": round(decision.overlap, 3),
        "intents": [{"intent": intent, "rules": found} for intent, found in fired.items()],
        "disabled": rules.disabled,
        "quarantined": list(decision.quarantined),
        "overran": decision.overran,
        "unavailable": decision.unavailable,
        "session": session or "",
        "state": state._asdict(),
        "thresholds": _thresholds(rules),
        "revision": rules.revision,
        "problems": [str(problem) for problem in rules.problems],
        "elapsed_ms": round(decision.elapsed_ms, 3),
        "warnings": _warnings(rules),
    }
    if compare_builtin:
        result |= compared(decision, gate.decide(prompt, Rules(), state), rules)
    return result


def compared(own: Decision, built_in: Decision, rules: Rules) -> dict[str, Any]:
    """``{built_in, differs, changed_by}``: the decision without the user's rules, and what made it another.

    A rule counts when it fired in one of the two only; where none did, the thresholds and rules that are
    changed are named.
    """
    differs = own.action != built_in.action
    mine, theirs = {one.id for one in own.fired}, {one.id for one in built_in.fired}
    changed = sorted(mine ^ theirs) or [
        f"{name} = {rules.thresholds[name]:g}" for name in sorted(rules.overridden)
    ]
    return {
        "built_in": {**outcome(built_in), "fired": sorted(theirs)},
        "differs": differs,
        "changed_by": changed if differs else [],
    }


def outcome(decision: Decision) -> dict[str, str]:
    return {"action": decision.action, "reason": decision.reason}


def state_of(store: Store, session: str) -> State:
    """The state that a session's next prompt meets. NotFound when no prompt of it was seen here."""
    from memex_core.files import session_state
    from memex_core.files.transcripts import check_session_id

    known = session_state.load(store.layout, check_session_id(session))
    if not known.known:
        raise NotFound(f"no hook has seen a prompt of session {session!r}", hint="leave --session out")
    resident = tuple(one.slug.replace("-", " ") for one in known.given.values())
    return State(known.prompts == 0, known.topic, known.since_retrieval, resident, False)


def show(store: Store) -> dict[str, Any]:
    """The rules in force, each with where it comes from and whether it is on."""
    rules = gate.load(store.layout)
    off = set(rules.disabled)
    file = file_of(store.layout)
    rows = [
        {
            "id": rule.id,
            "intent": rule.intent,
            "source": "built-in",
            "pattern": rule.source or "|".join(rule.needles),
        }
        for rule in BUILT_IN
    ]
    rows += [
        {"id": id, "intent": id.partition(".")[0], "source": "built-in", "pattern": " ".join(words.split())}
        for id, words in WORD_RULES.items()
    ]
    own = overlay.read(_bytes(store) or b"", file, KNOWN, tried=False)
    if not own.problems:
        rows += [
            {
                "id": one.id,
                "intent": one.intent,
                "source": "user",
                "pattern": one.source,
                "flags": one.flags,
                "note": one.note,
            }
            for one in own.patterns
        ]
    aside = set(rules.quarantined)
    for row in rows:
        row["state"] = "off" if row["id"] in off else "quarantined" if row["id"] in aside else "on"
    return {
        "file": file,
        "exists": os.path.exists(file),
        "applied": not rules.problems,
        "revision": rules.revision,
        "rules": sorted(rows, key=lambda row: list(INTENTS).index(row["intent"])),
        "words": {**rules.lexicon.sizes()},
        "own_words": {} if own.problems else {**own.words},
        "disabled_words": {} if own.problems else {**own.words_disabled},
        "thresholds": _thresholds(rules),
        "quarantine": quarantine.read(store.layout),
        "history": [one._asdict() for one in history.snapshots(store.layout)],
        "problems": [str(problem) for problem in rules.problems],
        "warnings": _warnings(rules),
    }


def validate(store: Store, file: str | None = None) -> dict[str, Any]:
    """``{file, ok, exists, problems, warnings}`` of the store's file, or of another one.

    Expressions are tried on texts that make careless ones explode.
    """
    name = file or file_of(store.layout)
    try:
        data: bytes | None = atomic.read_file(name)
    except FileNotFoundError:
        if file:
            raise NotFound(f"no file {file}", hint="leave it out to check the store's own") from None
        data = None
    except OSError as error:
        raise BadInput(f"{name} cannot be read ({(error.strerror or '').lower()})") from None
    read = overlay.read(data or b"", name, KNOWN)
    problems = [str(problem) for problem in read.problems]
    if not problems:
        problems += [f"{name}: {one.id}: {why}" for one in read.patterns if (why := too_slow(one))]
    return {
        "file": name,
        "ok": not problems,
        "exists": data is not None,
        "patterns": len(read.patterns),
        "disabled": len(read.disable),
        "problems": problems,
        "warnings": [{"file": one.file, "line": one.line, "message": one.message} for one in read.warnings],
    }


def replay(store: Store, *, limit: int = 20, project: str | None = None) -> dict[str, Any]:
    """The newest prompts that people typed, and those among them on which the user's rules decide otherwise.

    Each is looked at as the first of a session.
    """
    if not 1 <= limit <= 1000:
        raise BadInput(f"limit {limit} is out of range", hint="from 1 to 1000")
    from memex_core.files.prompts import newest_prompts

    rules, built_in = gate.load(store.layout), Rules()
    result: dict[str, Any] = {
        "prompts": 0,
        "changed": [],
        "own_rules": rules.changed,
        "problems": [str(problem) for problem in rules.problems],
        "warnings": _warnings(rules),
    }
    if not rules.changed:
        return result
    with Matcher() as matcher:
        for found in newest_prompts(store.layout, limit, project=project):
            result["prompts"] += 1
            own, plain = gate.decide(found.text, rules, matcher=matcher), gate.decide(found.text, built_in)
            if own.overran:
                rules = gate.load(store.layout)
            if own.action != plain.action:
                where = {
                    "session_id": found.session,
                    "turn": found.turn,
                    "ts": found.ts,
                    "prompt": found.text[:500],
                }
                result["changed"].append({**where, **outcome(own), **compared(own, plain, rules)})
    return result


def _thresholds(rules: Rules) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "value": value,
            "origin": "user" if name in rules.overridden else "built-in",
            "help": thresholds.HELP[name],
        }
        for name, value in rules.thresholds.items()
    ]


def _warnings(rules: Rules) -> list[Any]:
    """What is odd in the file, and what keeps it from being applied."""
    found: list[Any] = [
        {"file": one.file, "line": one.line, "message": f"{one.message}; only built-in rules are in force"}
        for one in rules.problems
    ]
    return found + [{"file": one.file, "line": one.line, "message": one.message} for one in rules.warnings]


def _bytes(store: Store) -> bytes | None:
    try:
        return read_file(store.layout)
    except OSError:
        return None
