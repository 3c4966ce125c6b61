"""The checks of ``memex doctor`` on agents: are they connected, do hooks run, does the server answer?"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from memex_core.care.doctor import Check, check, guarded
from memex_core.model import clock

if TYPE_CHECKING:
    from memex_core.files.layout import Layout

_RECENT = 7  # days in which an agent that is in use runs a hook
_PATIENCE = 30.0  # seconds for the server to answer
_PROMPT = 2_000.0  # ms after which clients' users notice
_IN_VAIN, _LOOKED_BACK = 8, 20  # prompts in a row without a page that are worth a word, and that are counted
_FAILING = 0.2  # share of failed runs above which something is wrong


@guarded("agents")
def agents(environ: Mapping[str, str], cwd: str) -> Check:
    """What of memex is in the settings of each agent that is on this machine."""
    from memex_core.harness.setup.agents import agents as installed

    found = [one for one in installed(None, environ, cwd) if one.found]
    having = [one for one in found if one.installed]
    files = [
        {
            "file": one.config[0] if one.config else one.title,
            "line": 0,
            "message": f"{one.title}: {one.problem}",
        }
        for one in having
        if one.problem
    ]
    partly = [one.title for one in having if not one.complete and not one.problem]
    names = ", ".join(one.title for one in having)
    if files:
        return check("agents", "fail", f"{len(files)} of {names} cannot use memex", "memex install", files)
    if partly:
        return check("agents", "warn", f"{', '.join(partly)} has not all of it", "memex install")
    if not having:
        there = ", ".join(one.title for one in found)
        detail = f"none is connected; {there} would be" if there else "none is on this machine"
        return check("agents", "warn" if there else "ok", detail, "memex install")
    return check("agents", "ok", names)


@guarded("hooks")
def hooks(layout: Layout, environ: Mapping[str, str]) -> Check:
    """Whether hooks ran lately, and well, where an agent's settings call them."""
    from memex_core.files.runs import read
    from memex_core.harness.setup.agents import agents as installed

    calling = [one.title for one in installed(None, environ) if one.hooks]
    since = (clock.now() - timedelta(days=_RECENT)).strftime("%Y-%m-%dT%H:%M:%SZ")
    lately = [run for run in read(layout, "hook") if run["ts"] >= since]
    if not lately:
        if not calling:
            return check("hooks", "ok", "no agent calls them")
        detail = f"{', '.join(calling)} should call them, but none ran in {_RECENT} days"
        return check("hooks", "warn", detail, "start a session of the agent, or `memex install` again")
    failed = sum(not run.get("ok", True) for run in lately)
    detail = f"{len(lately):,} ran in {_RECENT} days, the last at {lately[0]['ts']}"
    if failed > _FAILING * len(lately):
        return check("hooks", "fail", f"{detail}; {failed:,} failed", "memex hook prompt, by hand, says why")
    return check("hooks", "ok", detail)


@guarded("receipts")
def receipts(layout: Layout, environ: Mapping[str, str]) -> Check:
    """Whether what agents were given is on record, and whether prompts find anything at all."""
    from memex_core.files import receipts as kept
    from memex_core.files.runs import read

    given = [run for run in read(layout, "hook") if run.get("pages")]
    since = given[-1]["ts"] if given else ""
    noted = (
        sum(one["state"] == kept.EMITTED for one in kept.read(layout) if one["ts"] >= since) if given else 0
    )
    if given and not noted:
        return check(
            "receipts",
            "fail",
            f"memory was given {len(given):,} times, and none is on record",
            "memex verify",
        )
    vain = _in_vain(layout)
    if vain >= _IN_VAIN:
        detail = f"memory had nothing for the last {vain} prompts that it was looked at for"
        return check("receipts", "warn", detail, "memex receipts, for the reasons")
    return check("receipts", "ok", f"{noted:,} in the journal" if given else "nothing was given yet")


def _in_vain(layout: Layout) -> int:
    """How many of the newest prompts that memory was looked at for, in a row, it had no page for. Whether an
    agent made use of a page no receipt can tell."""
    from itertools import islice

    from memex_core.files import receipts as kept

    asked = (one for one in kept.read(layout) if one.get("gate", {}).get("action", "skip") != "skip")
    count = 0
    for one in islice(asked, _LOOKED_BACK):
        if one["outcome"] != "no match":
            break
        count += 1
    return count


@guarded("mcp")
def server(layout: Layout, environ: Mapping[str, str]) -> Check:
    """Start the server as a client does, shake hands, and time the answer."""
    words = [sys.executable, "-m", "memex_core.cli", "--root", layout.root, "serve-mcp", "--read-only"]
    began = time.perf_counter()
    try:
        done = subprocess.run(
            words,
            input=_HELLO,
            capture_output=True,
            timeout=_PATIENCE,
            env={**environ, "MEMEX_INTERNAL": "1"},
            cwd=layout.root,
        )
    except subprocess.TimeoutExpired:
        return check(
            "mcp", "fail", f"the server gave no answer in {_PATIENCE:.0f} s", "memex serve-mcp, by hand"
        )
    ms = (time.perf_counter() - began) * 1000
    answers = _answers(done.stdout)
    if answers is None:
        return check(
            "mcp", "fail", "something else than answers is on its output", "memex serve-mcp, by hand"
        )
    tools = answers.get(2, {}).get("result", {}).get("tools", [])
    if "result" not in answers.get(1, {}) or not tools:
        why = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1][:200]
        return check(
            "mcp",
            "fail",
            f"the server did not answer{': ' if why else ''}{why}",
            "pip install --upgrade memex",
        )
    level = "warn" if ms > _PROMPT else "ok"
    return check(
        "mcp", level, f"answers with {len(tools)} tools; {ms:.0f} ms from start to end", "is the disk slow?"
    )


def _message(number: int | None, method: str, params: dict[str, Any]) -> bytes:
    body: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        body["id"] = number
    return json.dumps(body).encode() + b"\n"


_HELLO = (
    _message(
        1,
        "initialize",
        {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "memex-doctor", "version": "1"},
        },
    )
    + _message(None, "notifications/initialized", {})
    + _message(2, "tools/list", {})
)


def _answers(output: bytes) -> dict[int, Any] | None:
    """The answers by number; None when a line is none."""
    found: dict[int, Any] = {}
    for line in output.split(b"\n"):
        if not line.strip():
            continue
        try:
            message = json.loads(line)
        except ValueError:
            return None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return None
        if isinstance(message.get("id"), int):
            found[message["id"]] = message
    return found


CHECKS = (hooks, receipts, server)
