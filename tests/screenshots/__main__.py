"""``python -m tests.screenshots [NAME…]``: remake the pictures of ``screenshots/`` as SVG and PNG.

The demo store is built anew, the clock stands still, and nothing of the machine is shown. Needs the
``dev`` extra and the font DejaVu Sans Mono with DejaVu Sans beside it, whose braille fits the grid.
"""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from memex_core.cli.demo import place
from memex_tui.app import MemexApp
from memex_tui.screens.health import screen as health
from memex_tui.screens.search import screen as search
from tests.screenshots.scenes import SCENES, Scene, Stage
from tests.screenshots.svg import svg
from tests.tui.frames import running

FOLDER = Path(__file__).resolve().parent.parent.parent / "screenshots"
NOW = "2026-11-30T09:00:00Z"
HOME = Path(tempfile.gettempdir()) / "memex-pictures"
ROOT = HOME / "kornblume"  # Health shows it as ~/kornblume
FONT = "DejaVu Sans Mono"
ZOOM, COLOURS = 1.5, 256
FIXED = {
    "MEMEX_NOW": NOW,
    "USER": "ada",
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "LANG": "C.UTF-8",
    "XDG_CONFIG_HOME": str(HOME / ".config"),
    "XDG_CACHE_HOME": str(HOME / ".cache"),
    "HOME": str(HOME),
}


class Still:
    """A clock that stands: checks and searches take no time."""

    @staticmethod
    def monotonic() -> float:
        return 0.0

    @staticmethod
    def strftime(_: str) -> str:
        return "09:00"


def stand_still() -> None:
    """Take the machine's time, user and terminal out of the pictures."""
    for name in [name for name in os.environ if name.startswith(("MEMEX_", "SSH_", "TMUX", "NO_COLOR"))]:
        del os.environ[name]
    os.environ.update(FIXED)
    vars(health)["time"] = Still
    find = search.find

    def steady(*args: Any, **options: Any) -> Any:
        return {**find(*args, **options), "search_time_ms": 4.0}

    vars(search)["find"] = steady


async def take(scene: Scene) -> tuple[str, bytes]:
    """The picture of a scene as SVG and PNG."""
    HOME.mkdir()
    place(str(ROOT))
    try:
        app = MemexApp(str(ROOT), keep_state=False, watch=False)
        if scene.tour:
            app.tour.offer()
        async with running(app, scene.size) as pilot:
            await scene.act(Stage(app, pilot, ROOT / "docs"))
            for toast in list(app._notifications):
                raise AssertionError(f"{scene.name}: {toast.message}")
            drawn = svg(app, f"memex · {scene.title}")
        await asyncio.to_thread(app.gateway.join, reads=True)
    finally:
        shutil.rmtree(HOME)
    return drawn, png(drawn)


def png(drawn: str) -> bytes:
    """The SVG as PNG with a palette: a third of the bytes, no colour that an eye would miss."""
    import resvg_py
    from PIL import Image

    data = resvg_py.svg_to_bytes(svg_string=drawn, zoom=ZOOM, font_family=FONT, monospace_family=FONT)
    image = Image.open(io.BytesIO(bytes(data)))
    small = image.convert("RGBA").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()


def main(names: list[str]) -> int:
    unknown = set(names) - {scene.name for scene in SCENES}
    if unknown:
        print(f"no such picture: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    if HOME.exists():
        print(f"{HOME} is in the way: remove it first", file=sys.stderr)
        return 1
    stand_still()
    FOLDER.mkdir(exist_ok=True)
    for scene in SCENES:
        if names and scene.name not in names:
            continue
        drawn, data = asyncio.run(take(scene))
        (FOLDER / f"{scene.stem}.svg").write_text(drawn, encoding="utf-8")
        (FOLDER / f"{scene.stem}.png").write_bytes(data)
        print(f"{scene.stem:16} svg {len(drawn) / 1000:4.0f} KB   png {len(data) / 1000:4.0f} KB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
