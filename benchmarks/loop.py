"""How fast the loop is: tasks, verdicts, reports and whole rollouts a second, against their targets.

Run `python benchmarks/loop.py`. One core; each line is the median of several rounds.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from statistics import median

from taskgen import FAMILIES, Curriculum, Ticket

GROUPS, GROUP_SIZE, ROUNDS = 64, 8, 9


def completion(answer: str) -> str:
    """Forty characters that end in a boxed answer."""
    return f"\\boxed{{{answer}}}".rjust(40, ".")


def per_second(act: Callable[[], int]) -> float:
    """How many things a second `act` does; it returns how many it did."""
    rates = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        count = act()
        rates.append(count / (time.perf_counter() - start))
    return median(rates)


def processor() -> str:
    """The processor's name, where the system tells."""
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def line(name: str, rate: float, target: float | None = None) -> None:
    """Prints a rate, the time each takes, and its target."""
    against = "" if target is None else f"   target {target:>9,.0f}: {'met' if rate >= target else 'missed'}"
    print(f"{name:<44}{rate:>12,.0f} a second {1e6 / rate:>10.1f} us each{against}")


class Loop:
    """A curriculum on number families, with a policy that is right in half of each group."""

    def __init__(self) -> None:
        self.curriculum = Curriculum(["addition_chain", "linear_equation"], group_size=GROUP_SIZE, seed=1)
        self.tickets: list[Ticket] = self.curriculum.draw(GROUPS)

    def draw(self) -> int:
        self.tickets = self.curriculum.draw(GROUPS)
        return GROUPS

    def judge(self) -> int:
        for ticket in self.tickets:
            for member in range(GROUP_SIZE):
                ticket.task.judge(completion(ticket.task.answer if member % 2 else "-7"))
        return GROUPS * GROUP_SIZE

    def report(self) -> int:
        for ticket in self.tickets:
            self.curriculum.report(ticket, [1, 0, 1, 0, 1, 0, 1, 0])
        return GROUPS

    def rollouts(self) -> int:
        for ticket in self.curriculum.draw(GROUPS):
            texts = [completion(ticket.task.answer if member % 2 else "-7") for member in range(GROUP_SIZE)]
            self.curriculum.report(ticket, [ticket.task.judge(text) for text in texts])
        return GROUPS * GROUP_SIZE


def make(name: str, difficulty: float, split: str) -> Callable[[], int]:
    """Makes fifty tasks of a family, others each time."""
    seeds = iter(range(10**9))

    def act() -> int:
        for _ in range(50):
            FAMILIES[name].task(difficulty, next(seeds), split)  # type: ignore[arg-type]
        return 50

    return act


def main() -> None:
    """Prints the table."""
    print(f"{processor()}, Python {platform.python_version()}, one core, median of {ROUNDS} rounds\n")
    for name in FAMILIES:
        for split in ("train", "eval"):
            line(f"tasks, {name}, d = 8, {split}", per_second(make(name, 8, split)))
    loop = Loop()
    loop.report()
    line("tickets drawn, with their tasks", per_second(loop.draw))
    line("completions judged (40 characters)", per_second(loop.judge), 20_000)

    reports = []
    for _ in range(ROUNDS):
        loop.draw()
        start = time.perf_counter()
        count = loop.report()
        reports.append(count * GROUP_SIZE / (time.perf_counter() - start))
    line("outcomes reported, in groups of 8", median(reports), 200_000)
    line(f"rollouts, whole loop, G = {GROUPS}, K = {GROUP_SIZE}", per_second(loop.rollouts), 10_000)


if __name__ == "__main__":
    main()
