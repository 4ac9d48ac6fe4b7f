"""The trainable part: one hidden layer and Adam, in numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

HIDDEN = 256
LEARNING_RATE = 0.02
_DECAY, _SQUARE_DECAY, _EPSILON = 0.9, 0.999, 1e-8


class Network:
    """logits = tanh(x W + b) V + c, for a fixed set of inputs of shape (inputs, features).

    The weights start at random, the outgoing ones small, so that at first every output is about equally likely.
    """

    def __init__(self, inputs: Array, outputs: int, rng: np.random.Generator) -> None:
        features = inputs.shape[1]
        self.inputs = inputs
        self.parameters: list[Array] = [
            rng.normal(0.0, 1.0, (features, HIDDEN)),
            np.zeros(HIDDEN),
            rng.normal(0.0, 0.1 / np.sqrt(HIDDEN), (HIDDEN, outputs)),
            np.zeros(outputs),
        ]
        self._means = [np.zeros_like(parameter) for parameter in self.parameters]
        self._squares = [np.zeros_like(parameter) for parameter in self.parameters]
        self._updates = 0

    def logits(self) -> Array:
        """The outputs for every input, of shape (inputs, outputs)."""
        _, _, outgoing, offset = self.parameters
        return self._hidden() @ outgoing + offset

    def gradients(self, slope: Array) -> list[Array]:
        """The gradient of an objective in each parameter, from its gradient in the logits."""
        hidden = self._hidden()
        before = (slope @ self.parameters[2].T) * (1.0 - hidden**2)
        return [self.inputs.T @ before, before.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)]

    def ascend(self, slope: Array) -> None:
        """One step of Adam (Kingma and Ba 2015) uphill on an objective, given its gradient in the logits."""
        self._updates += 1
        fade, square_fade = 1 - _DECAY**self._updates, 1 - _SQUARE_DECAY**self._updates
        moments = zip(self.parameters, self._means, self._squares, self.gradients(slope), strict=True)
        for parameter, mean, square, gradient in moments:
            mean += (1 - _DECAY) * (gradient - mean)
            square += (1 - _SQUARE_DECAY) * (gradient**2 - square)
            parameter += LEARNING_RATE * (mean / fade) / (np.sqrt(square / square_fade) + _EPSILON)

    def _hidden(self) -> Array:
        incoming, offset, _, _ = self.parameters
        result: Array = np.tanh(self.inputs @ incoming + offset)
        return result
