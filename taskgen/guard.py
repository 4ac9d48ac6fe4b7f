"""The lock of a thread-safe, process-bound object, and the sentence for those who carry it into another process."""

from __future__ import annotations

import os
import threading
from types import TracebackType
from typing import NoReturn


class Guard:
    """A lock of the process in which it was made; used after a fork, or pickled, it says what to use instead."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._process = os.getpid()
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        if os.getpid() != self._process:
            # Checked before the lock is taken: a fork may have copied it in the hands of a thread that is gone.
            raise RuntimeError(self._sentence("used after a fork"))
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def refuse_to_travel(self) -> NoReturn:
        """Raises TypeError, for whoever would pickle or copy the object."""
        raise TypeError(self._sentence("pickled or copied"))

    def _sentence(self, how: str) -> str:
        return (
            f"{self._what} cannot be {how}: each copy would steer on its own and hand out the same tickets. "
            "Keep it in one process and share it through a Ray actor or a service that calls draw and report there."
        )
