"""Archives of arrays (.npz), such as weights, read within a limit: any file may be named as one."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Collection
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["LARGEST_ARRAYS", "read_arrays"]

LARGEST_ARRAYS = 64 << 20
"""Most bytes of an archive, packed and unpacked; the largest of ours has 4 million."""
#: Exceptions of NumPy and its archives for invalid content.
DAMAGED = (
    ValueError,
    KeyError,
    TypeError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OverflowError,
    MemoryError,
    OSError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


def read_arrays(
    path: str | Path | Traversable, most: int = LARGEST_ARRAYS, only: Collection[str] = ()
) -> dict[str, npt.NDArray[Any]]:
    """All arrays of an archive by their names, or `only` some of them, without pickled objects.

    Raises OSError for a file that cannot be read, and ValueError with a few words for one that is damaged, no
    archive, or has more than `most` bytes, packed or unpacked.
    """
    with (Path(path) if isinstance(path, str) else path).open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"more than {most >> 20} MB, which is too much")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > most:
                raise ValueError(f"more than {most >> 20} MB when it is unpacked")
            # By `ZipFile.read`, as that alone holds every array against its checksum before it is believed.
            return {
                name: np.lib.format.read_array(io.BytesIO(archive.read(entry)), allow_pickle=False)
                for entry in archive.namelist()
                if (name := entry.removesuffix(".npy")) in only or not only
            }
    except zipfile.BadZipFile:
        raise ValueError("damaged, or no archive (.npz)") from None
    except DAMAGED as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"damaged: {said[:100]}") from None
