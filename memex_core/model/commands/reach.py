"""How far a command reaches: whether what it shows can only have come from this machine.

A command is ``local`` only when every program in it is known to look at this machine alone: that is the
reference's "unknown means external", since the name of a command alone proves nothing. So a script of the
project (``./run.sh``, ``python job.py``) is external too: nobody read what it does. ``recall`` asks memex.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from memex_core.model.commands import programs
from memex_core.model.commands.shell import Command, Unreadable, simple_commands

LOCAL, EXTERNAL, RECALL = "local", "external", "recall"

_KEYS = ("command", "cmd", "script", "input", "chars", "code", "commands", "action", "arguments")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=")
_HOST = re.compile(r"(?:[\w.-]+@)?[A-Za-z0-9][\w.-]+:(?![\\])|[a-z]+://", re.ASCII)
_DEVICE = re.compile(r"/dev/(?:tcp|udp)/")
_CODE = re.compile(
    r"\b(?:urllib\d?|urlopen|requests|httpx|aiohttp|http|https|http2|sockets?|ftplib|smtplib|poplib|imaplib|telnetlib|"
    r"xmlrpc|paramiko|boto3|grpc|websockets?|subprocess|pexpect|popen|system|exec\w*|spawn\w*|eval|__import__|"
    r"importlib|fetch|axios|XMLHttpRequest|undici|got|net|tls|dgram|dns|child_process|LWP|Net|IO::Socket|open-uri|"
    r"curl\w*|wget|file_get_contents|fsockopen|shell_exec|passthru|qx|do shell script)\b|[a-z]+://|`",
    re.IGNORECASE,
)
_AWK = re.compile(r"system\s*\(|getline|/inet|\|\s*\"")
_TESTS = re.compile(r"(?:\A|/)tests?/|(?:\A|/)test_[^/]*\Z|_test\.\w+\Z|[./]test\.\w+\Z")
_DEEPEST = 8
_SHORT = 400  # characters of a query that is remembered: `git status` is asked again and again


def reach_of(query: str) -> str:
    """:data:`LOCAL`, :data:`EXTERNAL` or :data:`RECALL`, of what a shell tool was asked: text of a shell, a
    JSON list of words, or a JSON map that holds either."""
    return _remembered(query) if len(query) <= _SHORT else _reach_of(query)


def _reach_of(query: str) -> str:
    try:
        return _worst(_reach(command, 0) for command in asked(query))
    except Unreadable:
        return EXTERNAL


_remembered = lru_cache(maxsize=1_000)(_reach_of)


@lru_cache(maxsize=4)  # of each turn it is asked twice: what it reaches, and whether it reads memory
def asked(query: str) -> list[Command]:
    """The commands that a query holds, not to be changed. Raises Unreadable when they cannot be told."""
    said = query.strip()
    if said[:1] in ("{", "[", '"'):
        try:
            return _of_value(json.loads(said))
        except (ValueError, RecursionError):
            pass  # `[ -f x ]` and `{ ls; }` are commands too
    made = simple_commands(said)
    if not made:
        raise Unreadable("no command")
    return made


def _of_value(value: Any) -> list[Command]:
    if isinstance(value, dict):
        value = next((value[key] for key in _KEYS if value.get(key)), None)
    if isinstance(value, dict):
        return _of_value(value)
    if isinstance(value, str) and value.strip():
        return simple_commands(value)
    if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
        return [Command([str(word) for word in value], [])]
    raise Unreadable("no command")


def _worst(found: Iterator[str]) -> str:
    worst = LOCAL
    for one in found:
        if one == RECALL:
            return RECALL
        worst = one if one != LOCAL else worst
    return worst


def _reach(command: Command, depth: int) -> str:
    if any(map(_DEVICE.match, command.files)) or depth > _DEEPEST:
        return EXTERNAL
    words = command.words
    while words and (words[0] in programs.RESERVED or _ASSIGNED.match(words[0])):
        words = words[1:]
    if not words or words[0] in programs.STRUCTURE:
        return _reach(Command(words[2:], []), depth + 1) if words[:1] == ["function"] else LOCAL
    name = words[0].replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
    rest = words[1:]
    if name == "memex" or (name in ("uvx", "pipx") and "memex" in rest):
        return RECALL
    if rest in (["--version"], ["--help"], ["-V"]) and "/" not in words[0]:
        return LOCAL
    if name in programs.SHELLS:
        return _shell(rest, command.fed, depth)
    if name == "eval":
        return _text(" ".join(rest), depth)
    if name in programs.WRAPPERS:
        return _wrapped(name, rest, command.fed, depth)
    if name in ("find", "fd", "fdfind"):
        return _found(rest, depth)
    if name in programs.INTERPRETERS or re.fullmatch(r"python[\d.]+", name):
        return _interpreted(name, rest, command.fed)
    return _program(name, words[0].replace("\\", "/"), rest, command.fed, depth)


def _program(name: str, word: str, rest: list[str], fed: str, depth: int) -> str:
    if "/" in word and not word.rpartition("/")[0].endswith("bin") and name != "gradlew":
        return EXTERNAL  # a script that lies there, whatever it is called
    if name in programs.RUNNERS:
        ahead = _runs(name, rest)
        if ahead is not None:
            return _reach(Command(ahead, [], fed), depth + 1) if ahead else EXTERNAL
    if name == "uv" and rest[:1] == ["pip"]:
        name, rest = "pip", rest[1:]
    if name == "git":
        rest = _behind_options(rest, ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"))
    if name in programs.PARTS and rest and _part(rest) in programs.PARTS[name]:
        return LOCAL
    if name in programs.TASKS:
        return _task(name, rest)
    if name in _LOOKED_INTO:
        return EXTERNAL if _LOOKED_INTO[name](rest) else LOCAL
    return LOCAL if name in programs.LOCAL else EXTERNAL


def _to_a_host(rest: list[str]) -> bool:
    return any(map(_HOST.match, rest))


def _with_network(rest: list[str]) -> bool:
    return any(map(_AWK.search, rest))


_LOOKED_INTO: dict[str, Callable[[list[str]], bool]] = {
    "rsync": _to_a_host,
    "scp": _to_a_host,
    "awk": _with_network,
    "gawk": _with_network,
    "mawk": _with_network,
    "openssl": lambda rest: not rest or rest[0] in ("s_client", "s_time", "ocsp"),
}
"""Programs whose words tell whether they reach out."""


def _part(rest: list[str]) -> str:
    return next((word for word in rest if not word.startswith(("-", "+"))), "")


def _task(name: str, rest: list[str]) -> str:
    """A project's own tasks: those that test or build are known by what they are called."""
    words = [word for word in rest if not word.startswith("-") and not _ASSIGNED.match(word)]
    if words[:1] in (["run"], ["run-script"]) and name in ("npm", "pnpm", "yarn", "bun", "composer"):
        words = words[1:2]
    elif name not in ("make", "gmake", "just", "task", "rake", "nox"):
        return EXTERNAL
    return LOCAL if all(re.split(r"[:_.-]", word)[0] in programs.TASK_WORDS for word in words) else EXTERNAL


def _behind_options(rest: list[str], valued: Sequence[str]) -> list[str]:
    """The words behind the options that stand first, each with its value where it takes one."""
    at = 0
    while at < len(rest) and rest[at].startswith("-"):
        if rest[at] == "--":
            return rest[at + 1 :]
        at += 2 if rest[at] in valued else 1
    return rest[at:]


def _wrapped(name: str, rest: list[str], fed: str, depth: int) -> str:
    """What a program runs that only runs another one."""
    if name == "env" and rest[:1] in (["-S"], ["--split-string"]):
        return _text(" ".join(rest[1:]), depth)
    valued, own = programs.WRAPPERS[name]
    rest = _behind_options(rest, valued.split())
    while rest and name in ("env", "sudo", "doas") and _ASSIGNED.match(rest[0]):
        rest = rest[1:]
    return _reach(Command(rest[own:], [], fed), depth + 1)


def _runs(name: str, rest: list[str]) -> list[str] | None:
    """The command that a runner was given; None when it was asked something else."""
    parts, valued = programs.RUNNERS[name]
    rest = _behind_options(rest, valued.split())
    if not parts:
        return rest
    if rest[:1] and rest[0] in parts:
        ahead = _behind_options(rest[1:], valued.split())
        is_task = name == "yarn" and ahead[:1] and ahead[0].split(":")[0] in programs.TASK_WORDS
        return None if is_task else ahead
    return None


def _shell(rest: list[str], fed: str, depth: int) -> str:
    """A shell: the text behind ``-c`` (all of it: hosts join words without quotes), or what it is fed."""
    for at, word in enumerate(rest):
        if re.fullmatch(r"-[a-z]*c|/[ck]|-command", word, re.IGNORECASE):
            return _text(" ".join(rest[at + 1 :]), depth)
        if not word.startswith(("-", "/")):
            return EXTERNAL  # a script
    return _text(fed, depth) if fed.strip() else EXTERNAL


def _text(text: str, depth: int) -> str:
    try:
        return _worst(_reach(command, depth + 1) for command in simple_commands(text))
    except Unreadable:
        return EXTERNAL


def _found(rest: list[str], depth: int) -> str:
    """``find``, with the commands that it runs on what it finds."""
    worst = [LOCAL]
    for at, word in enumerate(rest):
        if word in ("-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"):
            behind = rest[at + 1 :]
            end = next((n for n, one in enumerate(behind) if one in (";", "+")), len(behind))
            worst.append(_reach(Command(behind[:end], []), depth + 1))
    return _worst(iter(worst))


def _code_option(name: str) -> re.Pattern[str]:
    """The options behind which a language takes its code."""
    if name.startswith("py") or name == "ipython":
        return re.compile(r"-[A-Za-z]*c")
    return re.compile(r"-r" if name == "php" else r"-[A-Za-z]*[eEp]|--eval|--print")


def _interpreted(name: str, rest: list[str], fed: str) -> str:
    """A language: what it is given as text is looked into, a module or a test is known by its name."""
    for at, word in enumerate(rest):
        behind = rest[at + 1 :]
        if _code_option(name).fullmatch(word):
            return EXTERNAL if _CODE.search(" ".join(rest).replace("-M", " ")) else LOCAL
        if word == "-m":
            if behind[:1] and behind[0].partition(".")[0] == "memex_core":
                return RECALL
            return LOCAL if behind[:1] and behind[0] in programs.MODULES else EXTERNAL
        if name in ("deno", "bun"):
            return LOCAL if word in programs.PARTS[name] else EXTERNAL
        if word == "-":
            break
        if not word.startswith("-"):
            managed = word.endswith("manage.py") and behind[:1] in (["test"], ["check"])
            return LOCAL if managed or _TESTS.search(word) else EXTERNAL
    return EXTERNAL if not fed.strip() or _CODE.search(fed) else LOCAL
