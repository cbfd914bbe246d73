"""How weights are kept in a file: tables in bytes with a scale for every few values of a row."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 32
"""Values that share a scale. A word's vector has few large values, and they spoil only their own block."""

_LARGEST = 127
_SMALLEST_SCALE = 6.1e-5
"""The smallest normal number of 16 bits: below it a scale would lose digits of its own."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """A table `(rows, width)` as `data * scale`."""

    data: NDArray[np.int8]
    """`(rows, width / block, block)`."""
    scale: NDArray[np.float16]
    """`(rows, width / block, 1)`."""

    def floats(self) -> NDArray[np.float32]:
        """The table again, `(rows, width)`."""
        values = self.data.astype(np.float32) * self.scale.astype(np.float32)
        return values.reshape(len(values), -1)


def in_blocks(table: NDArray[Any], block: int = BLOCK) -> Blocks:
    """Round each block to 255 steps around zero; an error is at most half a step, 1/254 of the block's largest."""
    rows, width = table.shape
    if width % block:
        raise ValueError(f"a width of {width} is not a multiple of the block of {block}")
    parts = table.astype(np.float32).reshape(rows, width // block, block)
    # The scale is rounded up to 16 bits before it divides, so that nothing is clipped and no rounding is missed.
    exact = np.maximum(np.abs(parts).max(axis=2, keepdims=True) / _LARGEST, _SMALLEST_SCALE)
    scale = exact.astype(np.float16)
    scale = np.where(scale.astype(np.float32) < exact, np.nextafter(scale, np.float16(np.inf)), scale)
    data = np.rint(parts / scale.astype(np.float32))
    return Blocks(data.astype(np.int8), scale.astype(np.float16))
