"""Completion scripts for bash, zsh and fish, made from the registry.

They complete commands, options, choices, files, and the slugs of pages by asking ``memex list``. Slugs
hold letters, digits, marks and hyphens only, so that they need no quoting in any shell.
"""

from __future__ import annotations

from collections.abc import Iterable

from memex_core.model.operations.registry import COMMANDS, Operation, Param, command, every_operation

_LIMIT = 2000  # slugs offered; more than that nobody reads
_SLUGS = (
    f"list --jsonl --sort updated --limit {_LIMIT} 2>/dev/null"
    ' | sed -n \'s/^{"slug": "\\([^"]*\\)".*/\\1/p\''
)

_GLOBALS = (
    (("--root",), "the store", "dir"),
    (("--json",), "one JSON document", ""),
    (("--jsonl",), "one JSON document a line", ""),
    (("--text",), "readable text", ""),
    (("--quiet", "-q"), "data and errors only", ""),
    (("--help", "-h"), "help", ""),
    (("--version",), "the version", ""),
)
"""Spellings, help, and what kind of value follows (none if empty)."""


def script(shell: str) -> str:
    """The completion script for ``bash``, ``zsh`` or ``fish``."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()


def _kind(param: Param) -> str:
    """What a parameter's value is completed with: slug, choice, file, dir, text; empty for a switch."""
    if param.type == "bool":
        return ""
    if param.choices:
        return "choice"
    if param.names_page:
        return "slug"
    if param.type == "path":
        return "dir" if param.metavar == "DIR" else "file"
    return "text"


def _options(operation: Operation) -> list[Param]:
    return [param for param in operation.cli_params() if not param.positional]


def _places(operation: Operation) -> list[Param]:
    return [param for param in operation.cli_params() if param.positional]


def _groups() -> dict[str, list[str]]:
    """``diary`` -> ``append show dates``: the commands that have subcommands."""
    groups = {}
    for word in COMMANDS:
        subs = [op.name.split(" ", 1)[1] for op in command(word) if " " in op.name]
        if subs:
            groups[word] = subs
    return groups


# -- bash ----------------------------------------------------------------------------------


def _bash() -> str:
    """Works from bash 3.2, the one of macOS: no associative arrays, no mapfile."""
    globals_ = " ".join(flag for flags, _, _ in _GLOBALS for flag in flags)
    values, options, places = [], [], []
    for op in every_operation():
        for param in _options(op):
            if _kind(param) not in ("", "text"):
                keys = "|".join(f'"{op.name} {flag}"' for flag in param.spellings)
                values.append(f"    {keys}) {_bash_words(param)}; return ;;")
            elif _kind(param) == "text":
                keys = "|".join(f'"{op.name} {flag}"' for flag in param.spellings)
                values.append(f"    {keys}) return ;;")
        words = " ".join(flag for param in _options(op) for flag in param.spellings)
        options.append(f'    "{op.name}") options="{words}" ;;')
        for at, param in enumerate(_places(op)):
            if _kind(param) != "text":
                number = "*" if param.repeats else str(at)
                places.append(f'    "{op.name} "{number}) {_bash_words(param)} ;;')
    groups = _groups()
    subs = [f'    {word}) subs="{" ".join(names)}" ;;' for word, names in groups.items()]
    return f"""\
# bash completion for memex, made by: memex completion bash
_memex_slugs() {{
  memex "${{root[@]}}" {_SLUGS}
}}
_memex_offer() {{ # words, what is typed
  local IFS=$' \\t\\n'
  COMPREPLY=( $(compgen -W "$1" -- "$cur") )
}}
_memex_files() {{ # -f or -d
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=( $(compgen "$1" -- "$cur") )
}}
_memex() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}"
  local key="" subs="" options="" word i=1 place=0
  local -a root=()
  COMPREPLY=()
  while [ "$i" -lt "$COMP_CWORD" ]; do
    word="${{COMP_WORDS[i]}}"
    case "$word" in
    --root) i=$((i+1)); eval "root=(--root ${{COMP_WORDS[i]}})" 2>/dev/null ;;
    -*) ;;
    *)
      if [ -z "$key" ]; then
        key="$word"
        case "$key" in
{_lines(subs, 4)}
        esac
      elif [ -n "$subs" ] && [[ " $subs " == *" $word "* ]]; then
        key="$key $word"; subs=""
      else
        place=$((place+1))
      fi ;;
    esac
    i=$((i+1))
  done
  if [ "$prev" = --root ]; then _memex_files -d; return; fi
  if [ -z "$key" ]; then
    case "$cur" in
    -*) _memex_offer "{globals_}" ;;
    *) _memex_offer "{" ".join(COMMANDS)}" ;;
    esac
    return
  fi
  case "$key $prev" in
{_lines(values)}
  esac
  if [[ "$cur" == -* ]]; then
    case "$key" in
{_lines(options)}
    esac
    _memex_offer "$options {globals_}"
    return
  fi
  if [ -n "$subs" ]; then _memex_offer "$subs"; return; fi
  case "$key $place" in
{_lines(places)}
  esac
}}
complete -F _memex memex
"""


def _bash_words(param: Param) -> str:
    kind = _kind(param)
    if kind == "choice":
        return f'_memex_offer "{" ".join(param.choices)}"'
    if kind == "slug":
        return '_memex_offer "$(_memex_slugs)"'
    return "_memex_files -d" if kind == "dir" else "_memex_files -f"


def _lines(lines: Iterable[str], more: int = 0) -> str:
    return "\n".join(" " * more + line for line in lines)


# -- zsh -----------------------------------------------------------------------------------


def _zsh() -> str:
    groups = _groups()
    words = [f"    '{word}:{_zsh_text(command(word)[0].summary)}'" for word in COMMANDS if word not in groups]
    words += [f"    '{word}:{_zsh_text(', '.join(names))}'" for word, names in groups.items()]
    cases = []
    for word in COMMANDS:
        if word not in groups:
            cases.append(f"    {word})\n{_zsh_arguments(command(word)[0])} ;;")
            continue
        cases.append(f"    {word}) _memex_{word} ;;")
    helpers = [_zsh_group(word) for word in groups]
    globals_ = []
    for flags, text, kind in _GLOBALS:
        action = ":folder:_files -/" if kind else ""
        globals_ += [f"    '{flag}[{_zsh_text(text)}]{action}'" for flag in flags]
    return f"""\
#compdef memex
# zsh completion for memex, made by: memex completion zsh
_memex_slugs() {{
  local -a root slugs
  (( ${{+opt_args[--root]}} )) && root=(--root ${{(Q)opt_args[--root]}})
  slugs=( ${{(f)"$(memex $root {_SLUGS})"}} )
  compadd -a slugs
}}
{_lines(helpers)}
_memex() {{
  local context state state_descr line curcontext="$curcontext"
  typeset -A opt_args
  local -a commands globals
  commands=(
{_lines(sorted(words))}
  )
  globals=(
{_lines(globals_)}
  )
  _arguments -C $globals '1:command:->command' '*::argument:->argument' && return
  case $state in
  command) _describe -t commands command commands ;;
  argument)
    case $words[1] in
{_lines(cases)}
    esac ;;
  esac
}}
if [ "$funcstack[1]" = _memex ]; then
  _memex "$@"
elif (( $+functions[compdef] )); then
  compdef _memex memex
fi
"""


def _zsh_group(word: str) -> str:
    cases = []
    names = []
    for op in command(word):
        if " " in op.name:
            name = op.name.split(" ", 1)[1]
            names.append(f"'{name}:{_zsh_text(op.summary)}'")
            cases.append(f"    {name})\n{_zsh_arguments(op)} ;;")
    return f"""\
_memex_{word}() {{
  local context state state_descr line
  local -a subs
  subs=({" ".join(names)})
  _arguments -C $globals '1:subcommand:->sub' '*::argument:->rest' && return
  case $state in
  sub) _describe -t commands subcommand subs ;;
  rest)
    case $words[1] in
{_lines(cases)}
    esac ;;
  esac
}}"""


def _zsh_arguments(op: Operation) -> str:
    lines = ["      _arguments $globals"]
    for param in _options(op):
        many = "*" if param.repeats else ""
        for flag in param.spellings:
            action = "" if param.type == "bool" else f":{_zsh_text(param.shown)}:{_zsh_action(param)}"
            lines.append(f"'{many}{flag}[{_zsh_text(param.help)}]{action}'")
    for at, param in enumerate(_places(op), 1):
        number = "*" if param.repeats or param.type == "words" else str(at)
        lines.append(f"'{number}:{_zsh_text(param.shown)}:{_zsh_action(param)}'")
    return " \\\n        ".join(lines)


def _zsh_action(param: Param) -> str:
    kind = _kind(param)
    if kind == "choice":
        return f"({' '.join(param.choices)})"
    return {"slug": "_memex_slugs", "dir": "_files -/", "file": "_files"}.get(kind, " ")


def _zsh_text(text: str) -> str:
    for char in "\\[]:":
        text = text.replace(char, "\\" + char)
    return text.replace("'", "'\\''")


# -- fish ----------------------------------------------------------------------------------


def _fish() -> str:
    groups = _groups()
    lines = [
        "# fish completion for memex, made by: memex completion fish",
        "function __memex_root",
        "  set -l words (commandline -opc)",
        "  for at in (seq (count $words))",
        '    if test "$words[$at]" = --root; and test $at -lt (count $words)',
        "      echo --root",
        "      echo $words[(math $at + 1)]",
        "      return",
        "    end",
        "  end",
        "end",
        "function __memex_slugs",
        f"  memex (__memex_root) {_SLUGS}",
        "end",
        "complete -c memex -f",
    ]
    for flags, text, kind in _GLOBALS:
        value = " -x -a '(__fish_complete_directories)'" if kind else ""
        lines.append(f"complete -c memex{_fish_flags(flags)} -d {_fish_text(text)}{value}")
    for word in COMMANDS:
        summary = ", ".join(groups[word]) if word in groups else command(word)[0].summary
        lines.append(f"complete -c memex -n __fish_use_subcommand -a {word} -d {_fish_text(summary)}")
    for word, names in groups.items():
        here = f"'__fish_seen_subcommand_from {word}; and not __fish_seen_subcommand_from {' '.join(names)}'"
        for op in command(word):
            if " " in op.name:
                name = op.name.split(" ", 1)[1]
                lines.append(f"complete -c memex -n {here} -a {name} -d {_fish_text(op.summary)}")
    for op in every_operation():
        lines += _fish_operation(op)
    return "\n".join(lines) + "\n"


def _fish_operation(op: Operation) -> list[str]:
    seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in op.name.split(" "))
    lines = []
    for param in _options(op):
        value = "" if param.type == "bool" else _fish_value(param)
        flags = _fish_flags(param.spellings)
        lines.append(f"complete -c memex -n '{seen}'{flags} -d {_fish_text(param.help)}{value}")
    for param in _places(op):
        if _kind(param) != "text":
            lines.append(
                f"complete -c memex -n '{seen}'{_fish_value(param).replace(' -x', '').replace(' -r', '')}"
            )
    return lines


def _fish_value(param: Param) -> str:
    kind = _kind(param)
    if kind == "choice":
        return f" -x -a '{' '.join(param.choices)}'"
    if kind == "slug":
        return " -x -a '(__memex_slugs)'"
    if kind == "dir":
        return " -x -a '(__fish_complete_directories)'"
    return " -r -F" if kind == "file" else " -x"


def _fish_flags(flags: Iterable[str]) -> str:
    return "".join(f" -l {flag[2:]}" if flag.startswith("--") else f" -s {flag[1:]}" for flag in flags)


def _fish_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
