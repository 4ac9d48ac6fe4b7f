"""Gymnasium environments of taskgen. Importing this registers their ids and loads nothing else.

`gymnasium.make("taskgen_envs:taskgen/SingleTurn-v0")` works without any other import.
"""

from gymnasium.envs.registration import register

register("taskgen/SingleTurn-v0", entry_point="taskgen_envs.single_turn:SingleTurnEnv")
register(
    "taskgen/Adaptive-v0",
    entry_point="taskgen_envs.adaptive:AdaptiveEnv",
    vector_entry_point="taskgen_envs.group:AdaptiveVectorEnv",
    nondeterministic=True,
)
register("taskgen/Group-v0", vector_entry_point="taskgen_envs.group:GroupVectorEnv", nondeterministic=True)
