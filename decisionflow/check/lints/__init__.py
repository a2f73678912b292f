"""Lints: what is hardly meant. None keeps a policy from loading."""
