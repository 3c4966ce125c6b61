"""Programs that look at this machine alone, and what stands around the program in a command.

A table of what is known, not of what is forbidden: a program that is in none of these may reach anywhere.
"""

from __future__ import annotations

LOCAL = frozenset(
    # looking at files and text
    "cat tac head tail less more nl wc od xxd hexdump strings file stat du df ls ll dir vdir tree find "
    "fd fdfind locate grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk cut tr sort uniq comm join "
    "paste column fold fmt rev diff cmp sdiff colordiff delta bat batcat jq yq xmllint csvlook tee split "
    "md5sum sha1sum sha256sum sha512sum shasum b2sum cksum sum base64 readlink realpath basename dirname "
    "zcat bzcat xzcat zstdcat sqlite3 exiftool identify pdftotext ctags cloc tokei scc wslpath cygpath "
    "iconv dos2unix "
    # changing files
    "cp mv rm rmdir mkdir touch ln chmod chown chgrp install mktemp truncate dd patch tar gzip gunzip "
    "bzip2 bunzip2 xz unxz zstd zip unzip 7z "
    # the shell itself
    ": true false test [ [[ ]] echo printf read cd pushd popd pwd export unset set shopt local declare "
    "typeset readonly alias unalias source . type which whereis hash wait sleep exit return break "
    "continue shift trap umask ulimit jobs fg bg kill pkill pgrep seq yes expr let bc dc date cal "
    "history dirs getopts man help "
    # the machine
    "ps top free uptime uname hostname whoami id groups env printenv tty lsof ss netstat ip ifconfig "
    "lscpu lsblk lsusb lspci dmesg journalctl systemctl sysctl nproc arch sw_vers getent locale ldd nm "
    "objdump readelf size otool dpkg dpkg-query rpm "
    # building and testing
    "pytest py.test tox nosetests coverage unittest mypy ruff black isort flake8 pylint pyright pyflakes "
    "bandit pycodestyle vulture jest vitest mocha ava karma tsc eslint prettier biome stylelint rspec "
    "rubocop phpunit phpstan ctest gtest gcc g++ cc c++ clang clang++ clang-tidy clang-format ld ar "
    "rustc rustfmt javac gofmt golangci-lint shellcheck shfmt hadolint yamllint markdownlint cmake ninja "
    "gdb lldb valgrind perf "
    # PowerShell, cmd
    "get-content get-childitem get-item get-location set-location test-path select-string select-object "
    "where-object sort-object measure-object foreach-object format-table format-list out-string out-file "
    "write-output write-host resolve-path join-path split-path new-item remove-item copy-item move-item "
    "get-date get-process gc gci sls findstr where ver copy del ren md rd cls".split()
)

PARTS: dict[str, frozenset[str]] = {
    name: frozenset(parts.split())
    for name, parts in {
        "git": "status log diff show branch blame annotate add commit checkout switch restore stash "
        "merge rebase reset tag rev-parse rev-list ls-files ls-tree cat-file grep config describe "
        "shortlog reflog cherry-pick revert clean init mv rm apply am format-patch bisect "
        "worktree notes name-rev merge-base diff-tree diff-index diff-files for-each-ref show-ref "
        "symbolic-ref update-index update-ref write-tree commit-tree hash-object count-objects "
        "fsck gc prune whatchanged cherry range-diff var version help check-ignore check-attr "
        "verify-commit verify-tag interpret-trailers stripspace sparse-checkout pack-refs bundle",
        "cargo": "test build check clippy fmt doc tree metadata bench version nextest",
        "go": "test build vet fmt list version env doc tool",
        "npm": "test t ls list version",
        "pnpm": "test t ls list why",
        "yarn": "test list why",
        "bun": "test",
        "deno": "test lint fmt check",
        "pip": "list show freeze check",
        "pip3": "list show freeze check",
        "conda": "list info env",
        "poetry": "show check version",
        "docker": "ps images inspect logs version info stats top port history diff",
        "podman": "ps images inspect logs version info stats top port history diff",
        "mvn": "test verify compile package",
        "gradle": "test check build compileJava",
        "gradlew": "test check build compileJava",
        "dotnet": "test build format",
        "swift": "test build",
        "mix": "test compile format",
        "bazel": "test build query",
        "sbt": "test compile",
        "rails": "test",
        "composer": "show validate",
    }.items()
}
"""Programs of which only these parts look at this machine alone."""

TASKS = frozenset(("make", "gmake", "just", "task", "rake", "npm", "pnpm", "yarn", "bun", "nox", "composer"))
"""Programs that run a project's own tasks, by name."""

TASK_WORDS = frozenset(
    "all build check clean compile fmt format lint test tests type typecheck types unit".split()
)
"""What a task is called that tests or builds what lies here."""

INTERPRETERS = frozenset(
    "python python2 python3 py pypy pypy3 ipython node nodejs deno bun ts-node tsx ruby perl php lua "
    "Rscript osascript".split()
)
MODULES = frozenset(
    "pytest unittest mypy ruff black isort flake8 pylint pyright coverage doctest json.tool compileall "
    "py_compile timeit tokenize ast dis pstats cProfile tabnanny this site sysconfig platform tox nox".split()
)
"""What ``python -m`` may run."""

SHELLS = frozenset("sh bash zsh dash ksh fish ash pwsh powershell cmd".split())

RESERVED = frozenset("if then else elif while until do ! { time coproc".split())
"""Words of the shell that a command may follow."""

STRUCTURE = frozenset("fi done esac } for select case in function".split())

WRAPPERS: dict[str, tuple[str, int]] = {
    # name -> its options that take a value, how many words of its own follow them
    "sudo": ("-u -g -h -p -C -r -t -T -U -D -R --user --group", 0),
    "doas": ("-u -C", 0),
    "env": ("-u -C --unset --chdir", 0),
    "nohup": ("", 0),
    "nice": ("-n --adjustment", 0),
    "ionice": ("-c -n -p", 0),
    "time": ("-o -f --output --format", 0),
    "gtime": ("-o -f", 0),
    "timeout": ("-k -s --kill-after --signal", 1),
    "gtimeout": ("-k -s --kill-after --signal", 1),
    "stdbuf": ("-i -o -e", 0),
    "setsid": ("", 0),
    "taskset": ("", 1),
    "chrt": ("", 1),
    "xargs": ("-I -n -P -L -d -E -s -a --max-args --max-procs --arg-file --delimiter", 0),
    "command": ("", 0),
    "builtin": ("", 0),
    "exec": ("-a", 0),
    "watch": ("-n -d --interval", 0),
    "strace": ("-o -e -p -s", 0),
    "ltrace": ("-o -e -p -s", 0),
    "flock": ("-w -E", 1),
    "unbuffer": ("", 0),
    "caffeinate": ("-t -w", 0),
    "busybox": ("", 0),
    "toybox": ("", 0),
    "direnv": ("", 2),
}
"""Programs that run the command which follows them."""

RUNNERS: dict[str, tuple[tuple[str, ...], str]] = {
    # name -> the parts behind which a command follows, the options that take a value
    "uv": (("run",), "--with --python -p --project --extra --group --env-file --directory"),
    "poetry": (("run",), "-C --directory"),
    "pipenv": (("run",), ""),
    "pdm": (("run",), "-p"),
    "hatch": (("run",), "-e"),
    "rye": (("run",), ""),
    "bundle": (("exec",), ""),
    "npm": (("exec", "x"), "--prefix -w"),
    "pnpm": (("exec",), "-C --filter -F"),
    "yarn": (("exec", "run"), "--cwd"),
    "conda": (("run",), "-n -p --name --prefix"),
    "npx": ((), "-p --package"),
    "bunx": ((), ""),
}
"""Programs that run another one out of a project's own tools."""
