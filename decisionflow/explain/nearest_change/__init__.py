"""The nearest change of permitted features that gives another outcome, or the proof that there is none."""
