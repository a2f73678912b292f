"""Decisions that people can read, run and question."""
