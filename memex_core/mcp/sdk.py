"""Loading the SDK in less time: importing it is nearly all of what a client waits for at the handshake.

Three things, a third of that time together: the packages ``mcp`` and ``mcp.server`` are entered without
their ``__init__``, which would bring in the client and a second, higher server; its thousand models are
built when first used, which most never are; and nothing is collected meanwhile, because all of it stays.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
import types
from collections.abc import Callable


def loading(act: Callable[[], None]) -> None:
    """Run ``act``, which imports what it needs of the SDK; done plainly where the short way fails."""
    short = "mcp" not in sys.modules
    gc.disable()
    try:
        if short:
            _later_models()
            _bare_packages()
        act()
    except (ImportError, AttributeError):
        if not short:
            raise
        for name in [name for name in sys.modules if name == "mcp" or name.startswith("mcp.")]:
            del sys.modules[name]
        act()
    finally:
        gc.enable()
        gc.freeze()


def _later_models() -> None:
    import pydantic

    pydantic.BaseModel.model_config["defer_build"] = True


def _bare_packages() -> None:
    """``mcp`` and ``mcp.server`` as packages that only know where their modules are."""
    found = importlib.util.find_spec("mcp")
    if found is None or not found.submodule_search_locations:
        return
    places = list(found.submodule_search_locations)
    for name, at in (("mcp", places), ("mcp.server", [os.path.join(place, "server") for place in places])):
        package = types.ModuleType(name)
        package.__path__ = at
        sys.modules[name] = package
    sys.modules["mcp"].server = sys.modules["mcp.server"]  # type: ignore[attr-defined]
