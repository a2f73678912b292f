"""Features for the tests of reading."""

from decisionflow.program.declarations import Domain, Feature, Reading
from decisionflow.types import Type


def feature(name: str, kind: Type, domain: Domain | None = None, column: str | None = None, **options) -> Feature:
    reading = {key: options.pop(key) for key in ("trim", "any_case", "others", "zone") if key in options}
    return Feature(name, kind, Reading(column or name, **reading), domain, **options)
