"""What is said of a model's output reads as a sentence, whichever library the value came from."""

from __future__ import annotations

import numpy as np

from decisionflow.models import messages


def test_a_value_is_shown_as_it_is_written() -> None:
    said = messages.not_a_number("m", "probability", np.str_("x"))
    assert said == "model m gave 'x'; expected a probability, a finite number"


def test_one_is_singular() -> None:
    assert messages.wrong_length("m", 1, 2) == "model m gave 2 values for 1 row; expected one value a row"
    assert messages.wrong_length("m", 1000, 1) == "model m gave 1 value for 1,000 rows; expected one value a row"


def test_a_single_value_is_no_column() -> None:
    assert messages.no_column("m", None) == "model m gave a missing value, no column; expected one value a row"
    assert messages.no_column("m", 0.5) == "model m gave 0.5, no column; expected one value a row"
