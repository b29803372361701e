"""The render processes: started lazily, killed when they hang, and given no secrets."""

import asyncio
import random
import sys
from pathlib import Path

import msgspec
import pytest

from service.http.problems import ApiProblem
from service.media.pictures.frames import animation_job, still_job
from service.media.pictures.render_job import RenderJob
from service.media.pictures.render_processes import RenderFailed, RenderPool, RenderProcess
from service.media.renderer import PictureCache
from tests.game_contract.play import opened, random_steps


def order() -> RenderJob:
    timeline = opened(("caravanserai", 2, {}), 1)
    for _ in random_steps(timeline, random.Random(1), 12):
        pass
    return still_job(timeline, timeline.version)


def test_render_job_can_be_pickled() -> None:
    made = order()
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(made), type=RenderJob) == made


def test_processes_run_only_between_first_job_and_close() -> None:
    async def run() -> None:
        drawers = RenderPool()
        still_drawer = drawers._processes["png"]
        assert still_drawer._process is None
        assert (await drawers.render(order())).startswith(b"\x89PNG")
        process = still_drawer._process
        assert process is not None
        assert process.returncode is None
        assert drawers._processes["gif"]._process is None
        assert await drawers.render(order()) == await drawers.render(order())
        assert still_drawer._process is process
        await drawers.aclose()
        assert process.returncode is not None

    asyncio.run(run())


def test_hanging_or_dead_process_is_replaced(tmp_path: Path) -> None:
    async def run() -> None:
        drawer = RenderProcess((), 60)
        real = drawer._command
        for body in ("import time; time.sleep(1000)", "raise SystemExit(3)"):
            drawer._command, drawer._timeout_s = [sys.executable, "-c", body], 1
            with pytest.raises(RenderFailed, match="no answer"):
                await drawer.render(b"\x80")
            assert drawer._process is None
        drawer._command, drawer._timeout_s = real, 60
        with pytest.raises(RenderFailed, match="ValidationError"):
            await drawer.render(b"\x80")
        encoded = msgspec.msgpack.encode(order())
        assert (await drawer.render(encoded)).startswith(b"\x89PNG")
        await drawer.aclose()

    asyncio.run(run())


def test_still_does_not_wait_for_an_animation() -> None:
    async def run() -> None:
        timeline = opened(("caravanserai", 2, {}), 1)
        for _ in random_steps(timeline, random.Random(1), 60):
            pass
        drawers = RenderPool()
        slow = asyncio.create_task(drawers.render(animation_job(timeline)))
        while drawers._processes["gif"]._process is None:
            await asyncio.sleep(0)
        assert (await drawers.render(order())).startswith(b"\x89PNG")
        assert (await slow).startswith(b"GIF89a")
        await drawers.aclose()

    asyncio.run(run())


def test_render_failure_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(_self: RenderPool, _order: RenderJob) -> bytes:
        raise RenderFailed("no answer")

    async def run() -> None:
        monkeypatch.setattr(RenderPool, "render", refused)
        renderer = PictureCache()
        made = order()
        with pytest.raises(ApiProblem) as fault:
            await renderer.render("png", 1, lambda replace_name: made)
        assert (fault.value.status_code, fault.value.code) == (503, "no_picture")
        await renderer.aclose()

    asyncio.run(run())
