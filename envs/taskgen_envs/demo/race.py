"""The arms side by side, each in a process of its own."""

from __future__ import annotations

import logging
import os
import signal
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from taskgen_envs.demo.record import ARMS, Progress

_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class ArmFailedError(RuntimeError):
    """An arm's process ended before its last step."""


def race(seed: int, steps: int) -> Iterator[Progress]:
    """The steps of all arms as they happen. ArmFailedError says which arm failed, and how.

    However the iteration ends, the processes have ended after it.
    """
    running: dict[Connection, tuple[str, SpawnProcess]] = {}
    try:
        with _for_children():
            for arm in ARMS:
                receiver, process = _start(arm, seed, steps)
                running[receiver] = arm, process
        while running:
            ready = wait(list(running))
            for receiver in [one for one in running if one in ready]:
                arm, process = running[receiver]
                try:
                    message = receiver.recv()
                except (EOFError, OSError):
                    # The pipe of an arm that was killed closes too, with nothing or half a message said.
                    raise ArmFailedError(f"the {arm} arm's process ended: {_end(process)}") from None
                if isinstance(message, Progress):
                    yield message
                elif message is None:
                    del running[receiver]
                    process.join()
                else:
                    raise ArmFailedError(f"the {arm} arm failed:\n{message}")
    finally:
        for _, process in running.values():
            process.terminate()
        for _, process in running.values():
            process.join()


def _start(arm: str, seed: int, steps: int) -> tuple[Connection, SpawnProcess]:
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(arm, seed, steps, sender), daemon=True)
    process.start()
    # With the parent's copy open, the pipe would not end when the child does.
    sender.close()
    return receiver, process


def _run(arm: str, seed: int, steps: int, sender: Connection) -> None:
    """The child's work: each step into the pipe, then None; or the text of what went wrong."""
    # What the curriculum has to say would run across the display.
    logging.getLogger("taskgen").addHandler(logging.NullHandler())
    try:
        from taskgen_envs.demo.training import train

        for progress in train(arm, seed, steps):
            sender.send(progress)
        sender.send(None)
    except Exception:
        sender.send(traceback.format_exc())


def _end(process: SpawnProcess) -> str:
    process.join()
    return f"exit code {process.exitcode}"


@contextmanager
def _for_children() -> Iterator[None]:
    """What children inherit at their start: one thread each, set before numpy loads, and deafness to Ctrl-C.

    A Ctrl-C at the terminal reaches every process; only the parent answers it, and ends the others.
    """
    environment = {name: os.environ.get(name) for name in _ONE_THREAD}
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        for name, value in environment.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
