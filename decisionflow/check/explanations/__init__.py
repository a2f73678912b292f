"""A failing and a mended example for every code of a check."""
