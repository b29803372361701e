"""Reads from the device's storage that are repeated while it is busy."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.frontend.native import import_app


@pytest.mark.parametrize(
    ("failures", "delays"),
    [(0, []), (2, [1000, 2000]), (9, [1000, 2000, 4000, 8000])],
    ids=["at-once", "later", "never"],
)
def test_read_is_repeated_until_it_succeeds_a_limited_number_of_times(
    monkeypatch: pytest.MonkeyPatch, failures: int, delays: list[int]
) -> None:
    module, native = import_app(monkeypatch, "frontend.app.core.device_storage")
    results: list[bool] = []

    def read(callback: Callable[[bool, Any], object]) -> None:
        callback(len(results) >= failures, None)

    module.read_with_retries(read, lambda safe, _found: results.append(safe))
    waited: list[int] = []
    while native.timers:
        waited.extend(native.run_timers())
    assert waited == delays
    assert results == [number >= failures for number in range(len(delays) + 1)]
