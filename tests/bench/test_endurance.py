"""What the readings of a long exploration come to: a busy machine is no slowing, a leak is a growth."""

import pytest
from benchmarks.endurance import Reading, trends


def readings(*, leak: float = 0.0, slower: float = 0.0, load: float = 0.0) -> list[Reading]:
    """Make 80 readings, 200 steps apart; `leak`, `slower` and `load` are what 1,000 steps add."""
    found, cpu = [], 0.0
    for n in range(1, 81):
        thousands = 0.2 * n
        machine, work = 1 + load * thousands, 1 + slower * thousands
        cpu += 0.2 * 2.0 * machine * work
        memory, calls = 90 + leak * thousands + 0.01 * (n % 2), 9_000.0 * work * (n % 2)
        found.append(Reading(200 * n, 0.0, cpu, machine, calls, memory, 0.0, 28, 200))
    return found


def test_a_machine_that_gets_busier_does_not_count_as_slowing() -> None:
    told = trends(readings(load=0.2))
    assert abs(told["slowing_percent_per_1000"]["slope"]) < 0.5
    assert told["calls_percent_per_1000"]["slope"] == 0
    first, last = told["quarters"]["cpu_ms_per_step"]
    assert last > 1.5 * first
    first, last = told["quarters"]["yardsticks_per_step"]
    assert last == pytest.approx(first, rel=0.02)


def test_steps_that_take_longer_and_memory_that_is_kept_are_told() -> None:
    told = trends(readings(leak=0.5, slower=0.1, load=0.2))
    assert told["growth_mb_per_1000"]["slope"] == pytest.approx(0.5, abs=0.02)
    low, high = told["growth_mb_per_1000"]["ci95"]
    assert 0.4 < low < high < 0.6
    assert told["slowing_percent_per_1000"]["slope"] > 3
    assert told["calls_percent_per_1000"]["slope"] > 3


def test_too_few_readings_tell_no_trend() -> None:
    assert "growth_mb_per_1000" not in trends(readings()[:10])
    assert trends([]) == {}
