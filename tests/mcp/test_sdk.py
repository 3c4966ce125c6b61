"""The short way into the SDK, and the plain one where it fails."""

from __future__ import annotations

import subprocess
import sys


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_short_way_leaves_the_client_and_the_higher_server_out() -> None:
    code = (
        "import sys; from memex_core.mcp import sdk, serve; sdk.loading(serve._load); "
        "print('mcp.client.client' in sys.modules, 'mcp.server.mcpserver' in sys.modules, "
        "'mcp.server.lowlevel.server' in sys.modules)"
    )
    assert run(code) == "False False True"


def test_an_sdk_that_cannot_be_entered_so_is_imported_plainly() -> None:
    code = (
        "import sys, gc; from memex_core.mcp import sdk\n"
        "def act():\n"
        "    from mcp import Client\n"
        "    print(Client.__name__, gc.isenabled())\n"
        "sdk.loading(act); print(gc.isenabled())"
    )
    assert run(code) == "Client False\nTrue"


def test_what_is_loaded_already_is_left_as_it_is() -> None:
    code = (
        "import mcp; from memex_core.mcp import sdk, serve; before = mcp.Client; sdk.loading(serve._load); "
        "import mcp as again; print(again.Client is before)"
    )
    assert run(code) == "True"


def test_what_is_missing_stays_missing() -> None:
    code = (
        "from memex_core.mcp import sdk\n"
        "def act():\n"
        "    import mcp.nowhere\n"
        "try: sdk.loading(act)\n"
        "except ImportError as error: print(error.name)"
    )
    assert run(code) == "mcp.nowhere"
