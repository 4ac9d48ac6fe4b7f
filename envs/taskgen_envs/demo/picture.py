"""The run as a picture. matplotlib is an extra, so its absence is found before the run, not after."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path

from taskgen_envs.demo.record import ArmRecord

_WINDOW = 20


def check_picture(path: Path) -> None:
    """ValueError where no picture could be drawn to that file: matplotlib, the folder or the format is missing."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
    except ImportError:
        raise ValueError("--plot needs matplotlib; install it with: pip install 'taskgen[plot]'") from None
    formats = FigureCanvasAgg.get_supported_filetypes()
    if path.suffix[1:].lower() not in formats:
        raise ValueError(f"--plot writes {', '.join(sorted(formats))}, not {path.name!r}")
    if not path.parent.is_dir():
        raise ValueError(f"--plot: there is no folder {str(path.parent)!r}")


def draw_picture(records: Mapping[str, ArmRecord], path: Path) -> None:
    """Useful share (mean of 20 steps) and d50 against rollouts, a line an arm, into an image file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4), layout="constrained")
    shares, reached = figure.subplots(1, 2)
    for arm, record in records.items():
        spent = [rollouts / 1000 for rollouts in accumulate(step.rollouts for step in record.steps)]
        shares.plot(spent, _smooth(record.useful_share), label=arm)
        measured = [(thousands, step.d50) for thousands, step in zip(spent, record.steps, strict=True)]
        points = [(thousands, d50) for thousands, d50 in measured if d50 is not None]
        reached.plot([thousands for thousands, _ in points], [d50 for _, d50 in points], label=arm)
    shares.set(xlabel="thousands of rollouts", ylabel=f"useful groups, mean of {_WINDOW} steps", ylim=(0, 1))
    reached.set(xlabel="thousands of rollouts", ylabel="difficulty passed half of the time")
    reached.set_yscale("symlog", linthresh=1, base=2)
    reached.yaxis.set_major_formatter("{x:g}")
    shares.legend()
    figure.savefig(path)


def _smooth(values: list[float]) -> list[float]:
    """The mean of each value and those before it, up to 20 in all."""
    windows = [values[max(0, end - _WINDOW) : end] for end in range(1, len(values) + 1)]
    return [sum(window) / len(window) for window in windows]
