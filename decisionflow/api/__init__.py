"""The Python door: load a policy, evaluate it, ask why."""
