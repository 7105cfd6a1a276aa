"""Orders of a policy for powers of many games at once."""

import numpy as np
from numpy.typing import NDArray

from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.rules.games import Games

def orders_of(games: Games, chooser: Chooser, who: NDArray[np.uint8], out: NDArray[np.uint64]) -> None: ...
