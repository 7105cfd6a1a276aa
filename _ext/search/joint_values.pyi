"""What joint orders of all powers are worth in one position. The core alone asks it."""

from bordeaux._ext.search.rollout import Rollout

class JointValues:
    def __init__(self, rollout: Rollout) -> None: ...
