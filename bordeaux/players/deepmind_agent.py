"""Runs the published agent of google-deepmind/diplomacy. A script for that agent's own Python: it needs its
checkout and what that needs, and nothing of Bordeaux. `bordeaux.players.deepmind` starts it.

    python deepmind_agent.py CHECKOUT PARAMETERS

It writes ``{"ready": true}``, then answers lines of JSON. A line has an observation (`season`, `ones`: the
flat indices of the ones on the board, `build_numbers`, `last_actions`), the `slot` of the power and its
`legal` actions, and the game's `key`, `temperature` and `seed`. With `new` it is the first of its game, with
`end` the game is over. A line with an `id` is answered: ``{"id": 3, "actions": [...]}``, or with an `error`.
"""

from __future__ import annotations

import json
import os
import sys
import types
from typing import Any


class _Cast:
    """``numpy.cast``, which the checkout uses and NumPy has dropped."""

    def __getitem__(self, kind: Any) -> Any:
        import numpy

        return lambda values: numpy.asarray(values, kind)


class Agent:
    """The network, and a policy for each game."""

    def __init__(self, checkout: str, parameters: str) -> None:
        # The checkout is a package without a name: its imports say `diplomacy`, which may be another one's.
        package = types.ModuleType("diplomacy")
        package.__path__ = [checkout]
        sys.modules["diplomacy"] = package
        import jax
        import numpy

        if not hasattr(numpy, "cast"):
            numpy.cast = _Cast()  # type: ignore[attr-defined]  # noqa: NPY201
        from diplomacy.environment import observation_utils
        from diplomacy.network import config, network_policy, parameter_provider

        self._jax, self._numpy, self._utils = jax, numpy, observation_utils
        self._policy = network_policy.Policy
        network = config.get_config()
        with open(parameters, "rb") as file:  # noqa: PTH123
            provider = parameter_provider.ParameterProvider(file)
        self._handler = parameter_provider.SequenceNetworkHandler(
            network.network_class, network.network_kwargs, 0, provider
        )
        self._handler.reset()
        # The first inference compiles, which may take a minute.
        self._handler.inference(self._handler.zero_observation(7))
        self._policies: dict[str, Any] = {}

    def answer(self, line: dict[str, Any]) -> list[int]:
        """The actions for a line."""
        key = line["key"]
        if line.get("end"):
            self._policies.pop(key, None)
            return []
        if line.get("new"):
            self._policies[key] = self._policy(self._handler, 7, line["temperature"])
        board = self._numpy.zeros(self._utils.OBSERVATION_BOARD_SHAPE, self._numpy.float32)
        board.flat[line["ones"]] = 1
        observation = self._utils.Observation(
            season=self._utils.Season(line["season"]),
            board=board,
            build_numbers=self._numpy.array(line["build_numbers"], self._numpy.int32),
            last_actions=line["last_actions"],
        )
        policy = self._policies[key]
        legal: list[list[int]] = [[] for _ in range(7)]
        if "id" not in line:
            # Nobody wants the answer: remember the phase as the policy does, without asking the network.
            _, policy._obs_transform_state = self._handler.observation_transform(
                observation=observation,
                legal_actions=legal,
                slots_list=[],
                prev_state=policy._obs_transform_state,
                temperature=line["temperature"],
            )
            return []
        slot = line["slot"]
        legal[slot] = line["legal"]
        # Games share the network, but not its random numbers: each answer depends on its game's seed only.
        self._handler._rng_key = self._jax.random.PRNGKey(line["seed"])
        actions, _ = policy.actions([slot], observation, legal)
        return [int(action) for action in actions[0]]


def main() -> None:
    """Answer the lines of standard input until it ends."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    # Whatever the libraries print is no answer.
    os.dup2(2, 1)
    # The folder of this script, whose modules are not for that agent.
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    sys.path[:] = [folder for folder in sys.path if folder != here]
    agent = Agent(sys.argv[1], sys.argv[2])
    print(json.dumps({"ready": True}), file=answers)
    for text in sys.stdin:
        line = json.loads(text)
        try:
            answer: dict[str, Any] = {"actions": agent.answer(line)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        if "id" in line:
            print(json.dumps({"id": line["id"], **answer}), file=answers)


if __name__ == "__main__":
    main()
