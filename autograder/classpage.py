"""A class report as one HTML page: plots that read in black and white, and tables.

The template escapes everything; plots are pictures in the page, each with its numbers as text
beside it. What is counted is ``classreport``'s.
"""

from __future__ import annotations

import base64
import io
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import jinja2
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from autograder.classreport import ClassReport, Share
from autograder.show import clean

__all__ = ["page"]

SHOWN = 15  # of the hardest tests, and of the bugs
BINS = ["0 to 9", *(f"{low} to {low + 9}" for low in range(10, 90, 10)), "90 to 99", "100"]
WIDTH, ROW = 7.0, 0.28  # inches


@dataclass(frozen=True)
class Plot:
    """A picture as a data URI; ``alt`` says the same in words."""

    heading: str
    source: str
    alt: str


def _plot(heading: str, bars: Sequence[tuple[str, float]], unit: str) -> Plot:
    """Horizontal bars, each with its number; grey with a dark edge, so that no colour is needed."""
    names, values = [name for name, _ in bars], [value for _, value in bars]
    figure = Figure(figsize=(WIDTH, 0.8 + ROW * len(bars)), layout="constrained")
    axes = figure.subplots()
    drawn = axes.barh(range(len(bars)), values, color="0.75", edgecolor="0.1")
    axes.bar_label(drawn, [f"{value:.3g}" for value in values], padding=3)
    axes.set_yticks(range(len(bars)), names, parse_math=False)
    axes.invert_yaxis()
    axes.set_xlabel(unit)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))  # nobody hands in half a notebook
    axes.set_xlim(0, 1.1 * max([*values, 1]))
    axes.spines[["top", "right"]].set_visible(False)
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    data = base64.b64encode(file.getvalue()).decode("ascii")
    said = "; ".join(f"{name}: {value:.3g}" for name, value in bars)
    return Plot(heading, f"data:image/svg+xml;base64,{data}", f"{heading}, {unit}. {said}.")


def _scores(percents: Sequence[float]) -> list[tuple[str, float]]:
    """How many scored what; full marks are a bin of their own."""
    bins = [0] * len(BINS)
    for percent in percents:
        bins[min(int(percent // 10), len(BINS) - 1)] += 1
    return list(zip(BINS, map(float, bins), strict=True))


def _shares(shares: Sequence[Share]) -> list[tuple[str, float]]:
    return [(share.name, share.percent) for share in shares[:SHOWN]]


def _plots(report: ClassReport) -> list[Plot]:
    plots = [
        _plot("Statuses", [(name, float(count)) for name, count in report.statuses],
              "submissions"),
        _plot("Scores in percent", _scores(report.percents), "submissions"),
    ]
    if report.hardest:
        plots.append(_plot("Hardest tests", _shares(report.hardest),
                           "percent of those who wrote the function fail it"))
    if report.bugs:
        plots.append(_plot("Planted bugs that few notice", _shares(report.bugs),
                           "percent of those who wrote tests notice it"))
    return plots


def page(report: ClassReport) -> str:
    """The whole page."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("autograder"), autoescape=True, trim_blocks=True,
        lstrip_blocks=True, undefined=jinja2.StrictUndefined,
    )
    environment.filters["clean"] = clean
    percents = report.percents
    return environment.get_template("class.html").render(
        report=report, plots=_plots(report), shown=SHOWN,
        median=statistics.median(percents) if percents else None,
    )
