"""Figures drawn by matplotlib without a screen; the same values give the same bytes."""
