"""Models: a column computed from columns."""
