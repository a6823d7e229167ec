"""The finding new-figure."""
from __future__ import annotations

from collections.abc import Iterable

from specdil_records.figures import Figure
from specdil_records.findings import Place, Problem, Severity
from specdil_records.prose.numbers import find_numbers
from specdil_records.rules.rule import Rule, Sample, View


def key(figure: Figure) -> tuple[object, ...]:
    """What two figures have in common when they say the same with the same precision."""
    unit = figure.unit
    return (figure.value, figure.half_unit, (unit.dimension, unit.kind) if unit is not None else None)


class NewFigure(Rule):
    """The magnitude of a row holds a number that the prose does not hold."""

    name = "new-figure"
    code = "P03"
    severity = Severity.ERROR
    since = "0.1"
    why = "A row repeats what the prose quotes; a figure that stands in the row alone is checked by nothing."
    mend = "Take the figure from the prose with its unit and all its digits."
    bad = Sample(edits=(
        (
            "flop",
            "  basis: unverified\n  values_for",
            "  magnitude: 3.00 TB/s\n  basis: unverified\n  values_for",
        ),
    ))
    good = Sample(edits=(
        (
            "flop",
            "  basis: unverified\n  values_for",
            "  magnitude: 2.00 TB/s\n  basis: unverified\n  values_for",
        ),
    ))

    def check(self, view: View) -> Iterable[Problem]:
        """Value, digits and unit of every number of a magnitude have to occur in the prose."""
        if view.evaluation is None:
            return
        held = {key(number.figure) for field in view.evaluation.fields.values() for number in field.numbers
                if number.figure is not None}
        for i, row in enumerate(view.data.get("hardware_parameters", [])):
            for number in find_numbers(row.get("magnitude", "")):
                if number.figure is not None and number.exempt is None and key(number.figure) not in held:
                    yield Problem(self.name, f"the prose holds no {number.figure.text}",
                                  Place(("hardware_parameters", i, "magnitude"), number.start, number.end),
                                  data={"figure": number.figure.text})
