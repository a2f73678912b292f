"""Models whose inputs only the model itself knows."""

from __future__ import annotations

from decisionflow.check.models import complete_models

from .policies import program_of

POLICY = """
feature age : integer
feature mean_radius : number from column "mean radius"
derived older = age + 1
model risk : probability of bad
model own : probability of bad using age
decision d : boolean = risk > 0.5 and own > 0.5
"""


def test_stored_names_are_names_of_the_policy_or_headers() -> None:
    completed = complete_models(program_of(POLICY), {"risk": ["older", "mean radius", "own"], "own": ["other"]})
    assert completed.diagnostics == ()
    assert completed.program is not None
    assert completed.program.models["risk"].inputs == (
        ("older", "older"),
        ("mean_radius", "mean radius"),
        ("own", "own"),
    )
    assert completed.program.models["own"].inputs == (("age", "age"),)


def test_an_unknown_stored_name_is_reported_with_the_nearest() -> None:
    completed = complete_models(program_of(POLICY), {"risk": ["oldr"]})
    assert completed.program is None
    assert [(found.code, "did you mean `older`?" in found.help) for found in completed.diagnostics] == [
        ("DF0427", True)
    ]


def test_a_model_does_not_feed_itself() -> None:
    program = program_of("feature x : number\nmodel a : number\nderived b = a + 1\ndecision d : number = b")
    completed = complete_models(program, {"a": ["b"]})
    assert [found.code for found in completed.diagnostics] == ["DF0207"]
    assert "a -> b -> a" in completed.diagnostics[0].message
