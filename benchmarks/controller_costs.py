"""What the controller costs, against its targets: first use, kernels, calls, and memory a family.

Run `python benchmarks/controller_costs.py`. One core; each time is the best of several rounds. First use is measured in
fresh processes, once with an empty cache of machine code and once with a full one.
"""

from __future__ import annotations

import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

from taskgen import _kernels as kernels
from taskgen.controller import Controller, Knob, Placement
from taskgen.course import BINS

ROUNDS = 15
FAMILIES = 1000
K = 8


def machine() -> str:
    """The processor and the interpreter."""
    try:
        with open("/proc/cpuinfo") as lines:
            processor = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        processor = platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores; Python {platform.python_version()}, {platform.system()}"


def line(what: str, value: float, unit: str, target: float | None = None) -> None:
    """Prints a cost beside its target."""
    judged = "" if target is None else f"  (target {target:g}: {'met' if value <= target else 'MISSED'})"
    print(f"{what:52s} {value:9.2f} {unit}{judged}")


def microseconds(act: Callable[[], object], repeats: int = 300) -> float:
    """The time of one call, the best of several rounds."""
    act()
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(repeats):
            act()
        best = min(best, (time.perf_counter() - start) / repeats)
    return best * 1e6


def controller(families: int) -> Controller:
    """One whose families have each been seen a few times."""
    made = Controller([Knob(f"f{i}", 0, 64, lambda difficulty: 0.0) for i in range(families)])
    rng = random.Random(1)
    for clock in range(6 * families):
        group = made.place((rng.random(), rng.random(), rng.random()), clock)
        report(made, group, rng.randrange(K + 1), clock + 1)
    return made


def report(controller: Controller, group: Placement, passed: int, clock: float) -> None:
    """A whole group's outcomes in one call, and its end."""
    outcomes = [i < passed for i in range(K)]
    at = group.family, group.difficulty, group.guess
    controller.observe(*at, outcomes, passed=0, failed=0, clock=clock)
    controller.close(*at, passed=passed, failed=K - passed)


def kernel_costs() -> None:
    made = controller(1)
    belief, summary, weights = made._weights[0].copy(), np.empty(9), np.ones(FAMILIES)
    fresh = belief.copy()

    def learn(*outcomes: int) -> None:
        belief[...] = fresh
        kernels.learn(belief, 1.9, 0.0, 0.0, *outcomes)

    def update() -> None:
        learn(0, 0, 4, 4)
        kernels.carry(belief, 1.0)

    copying = microseconds(lambda: belief.__setitem__(..., fresh))
    line("kernel: learn one outcome", microseconds(lambda: learn(3, 2, 1, 0)) - copying, "us")
    line("kernel: learn a group of 8 at once", microseconds(lambda: learn(0, 0, 4, 4)) - copying, "us")
    line("kernel: carry over one group's time", microseconds(lambda: kernels.carry(belief, 1.0)), "us")
    line("kernels: update of 8 outcomes, learn and carry", microseconds(update) - copying, "us", 10)
    line("kernel: summarise", microseconds(lambda: kernels.summarise(belief, -1.1, 5.3, summary)), "us", 4)
    line("kernel: locate", microseconds(lambda: kernels.locate(belief, 0.5, 0)), "us")
    line("kernel: predict", microseconds(lambda: kernels.predict(belief, 1.9, 0.0, 0.0, K)), "us")
    line(f"kernel: pick among {FAMILIES}", microseconds(lambda: kernels.pick(weights, 0.5)), "us")


def call_costs(families: int) -> None:
    made, rng, clock = controller(families), random.Random(2), 6.0 * families
    groups: list[Placement] = []

    def place() -> None:
        nonlocal clock
        clock += 1
        groups.append(made.place((rng.random(), rng.random(), rng.random()), clock))

    def observe() -> None:
        nonlocal clock
        clock += 1
        made.observe(0, 5.0, 0.0, [True, False] * 4, passed=0, failed=0, clock=clock)

    line(f"place, {families} families", microseconds(place), "us", 50)
    waiting = iter(groups)
    line(f"observe 8 outcomes at once, {families} families", microseconds(observe), "us")
    outcomes = [(True, False)[i % 2 :][:1] for i in range(K)]

    def singles() -> None:
        for n, outcome in enumerate(outcomes):
            made.observe(0, 5.0, 0.0, outcome, passed=(n + 1) // 2, failed=n // 2, clock=clock)

    line(f"observe 8 outcomes one by one, {families} families", microseconds(singles, 60), "us")

    def finish() -> None:
        family, difficulty, guess, *_ = next(waiting)
        made.close(family, difficulty, guess, passed=4, failed=4)

    line(f"close, {families} families", microseconds(finish), "us")
    course = made._courses[0]

    def weigh() -> None:
        course.belief._known = None
        made._stale.add(0)
        made._weigh()

    line(f"weight of one family, {families} families", microseconds(weigh), "us", 4)


def memory() -> None:
    made = controller(FAMILIES)
    arrays = (made._weights.nbytes + made._tally.nbytes) / FAMILIES
    line("arrays a family", arrays / 1000, "kB", 8)
    start = time.perf_counter()
    text = json.dumps(made.state_dict())
    line(f"state of {FAMILIES} families, as JSON", len(text) / 1e6, "MB", 6)
    line(f"state of {FAMILIES} families, time to make", (time.perf_counter() - start) * 1e3, "ms")
    rng = np.random.default_rng(1)
    made._weights[...] = np.frombuffer(rng.bytes(made._weights.nbytes), dtype="<f4").reshape(made._weights.shape)
    made._tally[...] = rng.random(made._tally.shape)
    made._tally[..., :3] = rng.integers(0, 10_000, (FAMILIES, BINS, 3))
    line("the same at worst: nothing in it compresses", len(json.dumps(made.state_dict())) / 1e6, "MB", 6)


FIRST_USE = """
import time; start = time.perf_counter()
from taskgen.controller import Controller, Knob
imported = time.perf_counter()
controller = Controller([Knob("f", 0, 64, lambda difficulty: 0.0)])
for clock in (0, 1):
    group = controller.place((0.5, 0.5, 0.5), clock)
    controller.observe(*group[:3], [True, False], passed=0, failed=0, clock=clock)
    controller.close(*group[:3], passed=1, failed=1)
controller.estimates()
print(imported - start, time.perf_counter() - imported)
"""


def first_use() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for cache, target in (("empty", 10.0), ("full", 1.0)):
            environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
            done = subprocess.run(
                [sys.executable, "-c", FIRST_USE], env=environment, capture_output=True, text=True, check=True
            )
            imports, use = map(float, done.stdout.split())
            line(f"import, cache {cache}", imports, "s")
            line(f"first use of every call, cache {cache}", use, "s", target)


if __name__ == "__main__":
    print(machine())
    first_use()
    kernel_costs()
    for count in (1, FAMILIES):
        call_costs(count)
    memory()
