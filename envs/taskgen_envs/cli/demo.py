"""`taskgen demo`: a small policy learns addition, on adaptive, fixed and uniform tasks."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from taskgen_envs.demo.race import ArmFailedError, race
from taskgen_envs.demo.record import ARMS, ArmRecord

INTERRUPTED = 130
"""The exit status of a program that Ctrl-C ended."""


def demo(
    seed: Annotated[int, typer.Option(min=0, help="of the start and of all tasks")] = 0,
    steps: Annotated[int, typer.Option(min=1, help="training steps of each arm, 512 rollouts each")] = 700,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object instead of the summary")] = False,
    plot: Annotated[Path | None, typer.Option(help="draw the run into this file (needs matplotlib)")] = None,
) -> None:
    """Watch a small policy learn addition by GRPO, on adaptive, fixed and uniform tasks.

    Ctrl-C ends it with the summary so far.
    """
    from taskgen_envs.demo.picture import check_picture, draw_picture
    from taskgen_envs.demo.screen import watching
    from taskgen_envs.demo.summary import figures, in_words

    if plot is not None:
        check_picture(plot)
    records, start, finished = {arm: ArmRecord() for arm in ARMS}, time.monotonic(), True
    try:
        with watching(records, steps) as show:
            for progress in race(seed, steps):
                records[progress.arm].add(progress)
                show()
    except KeyboardInterrupt:
        finished = False
    except ArmFailedError as error:
        print(f"taskgen: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    seconds = time.monotonic() - start
    print(json.dumps(figures(records, seconds)) if as_json else in_words(records, seed, seconds, finished))
    if plot is not None:
        draw_picture(records, plot)
    if not finished:
        raise typer.Exit(INTERRUPTED)
