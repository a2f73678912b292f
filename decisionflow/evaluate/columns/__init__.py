"""The functions and comparisons of the language on columns, one for each record of `conditions.operators`."""
