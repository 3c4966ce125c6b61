"""The recall gate on a terminal: a decision with its reasons, the rules, and what a change did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from memex_core.cli.paper import Paper, Span, place, plural
from memex_core.cli.parse import Request
from memex_core.cli.views import ruleset

Result = dict[str, Any]
_STYLE = {"retrieve": "good", "skip": "dim", "ambiguous": "warn"}


def test(result: Result, paper: Paper, request: Request) -> None:
    paper.line(
        (result["action"], _STYLE[result["action"]]), f": {result['why']}", (f"  {result['reason']}", "dim")
    )
    others = [one for one in result["triggers"] if one != result["reason"]]
    if others:
        paper.line(("also: ", "dim"), ", ".join(others), indent=2)
    _against(result, paper)
    cut = ", only the beginning and the end looked at" if result["cut"] else ""
    said = "says something" if result["substantive"] else "says little"
    paper.line(("prompt  ", "dim"), f"{plural(result['chars'], 'character')}{cut}, {said}")
    tokens = " ".join(result["tokens"][:40])
    more = " …" if len(result["tokens"]) > 40 else ""
    paper.line(
        ("tokens  ", "dim"), f"{result['token_count']}", (f"  {tokens}{more}" if tokens else "", "dim")
    )
    for row in result["intents"]:
        fired = [f"{one['id']} ({one['source']})" for one in row["rules"]]
        paper.line((f"{row['intent']:<12}", "name" if fired else "dim"), ", ".join(fired) or ("–", "dim"))
    for word in ("disabled", "quarantined"):
        if result[word]:
            paper.line((f"{word}: ", "warn"), ", ".join(result[word]))
    if result["overran"]:
        paper.line((f"{result['overran']} took too long and was set aside just now", "bad"))
    if result["unavailable"]:
        paper.line((f"own rules did not run: {result['unavailable']}", "warn"))
    if result["session"]:
        state = result["state"]
        paper.line(
            ("session ", "dim"),
            f"{result['session']}: {plural(state['since_retrieval'], 'prompt')} since memory was looked at, "
            f"{plural(len(state['resident']), 'page')} given, overlap with the topic {result['overlap']:g}",
        )
    _thresholds(result, paper)
    paper.line((f"{result['elapsed_ms']:.2f} ms, nothing recorded", "dim"))


def _against(result: Result, paper: Paper) -> None:
    """The decision of the built-in rules alone."""
    plain = result.get("built_in")
    if plain is None:
        return
    if not result["differs"]:
        paper.line(("without own rules: the same", "dim"), indent=2)
        return
    paper.line(
        ("without own rules: ", "dim"),
        (plain["action"], _STYLE[plain["action"]]),
        (f"  {plain['reason']}", "dim"),
        indent=2,
    )
    paper.line(("changed by ", "dim"), ", ".join(result["changed_by"]), indent=2)


def _thresholds(result: Result, paper: Paper) -> None:
    paper.table(
        (">value", "threshold", "from", "what it is"),
        [
            (
                f"{row['value']:g}",
                row["name"],
                (row["origin"], "warn" if row["origin"] == "user" else "dim"),
                row["help"],
            )
            for row in result["thresholds"]
        ],
        flexible=(3,),
    )


def show(result: Result, paper: Paper, request: Request) -> None:
    where = place(result["file"])
    if not result["exists"]:
        paper.line((where, "name"), ("  not there: only built-in rules are in force", "dim"))
    elif not result["applied"]:
        paper.line((where, "name"), ("  not applied: only built-in rules are in force", "bad"))
    else:
        paper.line((where, "name"), (f"  revision {result['revision']}", "dim"))
    paper.table(
        ("rule", "from", "", "pattern"),
        [(row["id"], (row["source"], "dim"), _state(row), row["pattern"]) for row in result["rules"]],
        flexible=(3,),
    )
    for word, title in (("own_words", "own words"), ("disabled_words", "words switched off")):
        for kind, words in result[word].items():
            paper.line((f"{title}, {kind}: ", "dim"), " ".join(words))
    _thresholds(result, paper)
    for row in result["quarantine"]:
        ruleset.aside(row, paper)
    for row in result["history"][:5]:
        paper.line((f"kept state {row['number']}", "name"), f"  replaced {row['at'][:16].replace('T', ' ')}")


def _state(row: Result) -> Span:
    state = row["state"]
    return (state, "dim" if state == "on" else "warn")


def validate(result: Result, paper: Paper, request: Request) -> None:
    if not result["exists"]:
        paper.line((place(result["file"]), "name"), "  not there: only built-in rules are in force")
        return
    for problem in result["problems"]:
        paper.line(("✗ ", "bad"), problem)
    if result["ok"]:
        counts = (
            f"{plural(result['patterns'], 'own pattern')}, {plural(result['disabled'], 'rule')} switched off"
        )
        paper.line(("✓ ", "good"), (place(result["file"]), "name"), f"  {counts}")


def changed(result: Result, paper: Paper, request: Request) -> None:
    done = {"add": "added", "disable": "switched off", "enable": "switched on"}
    verb = request.operation.name.removeprefix("gate ") if request.operation else ""
    if verb == "set":
        subject, what = result.get("threshold", ""), f"set to {result['value']:g}"
    else:
        subject, what = result.get("id", ""), done.get(verb, verb)
    ruleset.changed(result, paper, subject, what, "own rules")


def quarantine(result: Result, paper: Paper, request: Request) -> None:
    ruleset.quarantine(result, paper, "rule")


def replay(result: Result, paper: Paper, request: Request) -> None:
    if not result["own_rules"]:
        paper.line(("there are no own rules in force: nothing can differ", "dim"))
        return
    rows: Sequence[Result] = result["changed"]
    for row in rows:
        paper.line((row["prompt"].replace("\n", " ")[:200], "title"))
        plain = row["built_in"]
        paper.line(
            (plain["action"], _STYLE[plain["action"]]),
            " → ",
            (row["action"], _STYLE[row["action"]]),
            (f"  by {', '.join(row['changed_by'])}", "dim"),
            indent=2,
        )
        paper.line(
            (f"{row['session_id']} turn {row['turn']}  {row['ts'][:16].replace('T', ' ')}", "dim"), indent=2
        )
    paper.line((f"{len(rows)} of {plural(result['prompts'], 'prompt')} decided otherwise", "dim"))


VIEWS: dict[str, Callable[[Result, Paper, Request], None]] = {
    "gate test": test,
    "gate show": show,
    "gate validate": validate,
    "gate add": changed,
    "gate disable": changed,
    "gate enable": changed,
    "gate set": changed,
    "gate reset": changed,
    "gate rollback": changed,
    "gate quarantine": quarantine,
    "gate replay": replay,
}
