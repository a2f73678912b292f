"""Attributions of a model: base plus one number for each source column is the model's output."""

from decisionflow.explain.attributions.attribution import Attribution, Attributor
from decisionflow.explain.attributions.dispatch import METHODS, attribute_model, prepare_attribution

__all__ = ["METHODS", "Attribution", "Attributor", "attribute_model", "prepare_attribution"]
