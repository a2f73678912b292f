"""A policy on what is known: its own tests, and history."""
