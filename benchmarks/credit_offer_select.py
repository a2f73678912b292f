"""The policy of `credit_offer.dflow` as one writes it by hand with `numpy.select`: NaN and -1 stand for missing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = dict[str, NDArray[Any]]


def select(columns: Columns) -> NDArray[np.intp]:
    """The place of the first rule that fires `(n,)`."""
    age = columns["age"]
    income = columns["income"]
    debt = columns["debt"]
    amount = columns["amount"]
    employment_years = columns["employment_years"]
    utilization = columns["utilization"]
    delinq = columns["delinq"]
    savings = columns["savings"]
    risk_score = columns["risk_score"]
    fraud_score = columns["fraud_score"]
    region = columns["region"]
    employment = columns["employment"]
    channel = columns["channel"]
    existing = columns["existing"]
    dti = np.where(income > 0, debt / income, np.nan)
    lti = np.where(income > 0, amount / income, np.nan)
    conditions = [
        (fraud_score >= 0.25) & ((channel == 1) | (channel == 2) | (channel == 3)),
        (fraud_score >= 0.15) & (existing == 0),
        (age < 21.0) & (amount > 15000.0),
        (income != income) & (savings < 5000.0),
        (income != income) & (existing == 1),
        (delinq >= 3.0) & (utilization > 0.6),
        (delinq >= 2.0) & ((employment == 3) | (employment == 1)) & (dti > 0.35),
        (dti > 0.65) & ((utilization > 0.5) | (delinq >= 1.0)),
        ((dti >= 0.5) & (dti <= 0.65)) & (amount > 12000.0),
        (employment == 3) & (savings < 3000.0) & (amount > 4000.0),
        (savings >= 2.0 * amount) & (delinq <= 0.0) & (risk_score < 0.5),
        (existing == 1) & (risk_score < 0.12) & (dti < 0.3) & (utilization < 0.4),
        (age > 70.0) & (amount > 20000.0),
        (employment == 2) & (employment_years < 2.0) & (amount > 8000.0),
        (risk_score >= 0.6) & (dti > 0.3),
        ((region == 0) | (region == 6)) & ((channel == 3) | (amount > 25000.0)) & (risk_score >= 0.2),
        (existing == 1)
        & (employment_years >= 5.0)
        & ((employment == 0) | (employment == 4))
        & (utilization <= 0.3)
        & (risk_score < 0.25),
        (employment < 0) & (amount > 5000.0),
        (utilization > 0.85) & (risk_score > 0.3),
        ((age >= 30.0) & (age <= 60.0)) & (income >= 45000.0) & (dti <= 0.35) & (risk_score < 0.2),
        (region < 0) & ((channel == 3) | (channel == 1)),
        ((amount >= 1000.0) & (amount <= 6000.0)) & (dti < 0.25) & (delinq <= 1.0) & ((channel == 2) | (channel == 0)),
        (amount > 30000.0) & ((existing == 0) | (savings < 4000.0) | (employment_years < 1.0)),
        (lti > 0.9) & (savings < 2000.0),
        (utilization == utilization) & (utilization < 0.2) & (risk_score < 0.35) & (delinq <= 0.0),
        (risk_score < 0.1) & (dti < 0.2),
        (risk_score < 0.1) & (dti < 0.4),
        (risk_score < 0.2) & (dti < 0.2) & ((employment == 0) | (employment == 4)),
        (risk_score < 0.2) & (dti < 0.2),
        (risk_score < 0.2)
        & ((dti >= 0.2) & (dti <= 0.4))
        & ((employment == 0) | (employment == 4) | (employment == 2)),
        (risk_score < 0.2) & (dti > 0.4),
        ((risk_score >= 0.2) & (risk_score <= 0.3)) & (dti < 0.2) & (employment == 0),
        ((risk_score >= 0.2) & (risk_score <= 0.3)) & (dti < 0.35),
        ((risk_score >= 0.2) & (risk_score <= 0.3)) & (dti >= 0.35) & ((employment == 1) | (employment == 3)),
        ((risk_score >= 0.3) & (risk_score <= 0.45)) & (dti < 0.15),
        (risk_score > 0.45) & (dti >= 0.25),
        (risk_score > 0.55) & ((employment == 1) | (employment == 3) | (employment == 2)),
        (risk_score < 0.4),
    ]
    return np.select(conditions, list(range(len(conditions))), len(conditions))
