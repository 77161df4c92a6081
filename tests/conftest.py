"""Profiles for hypothesis: `ci` by default; HYPOTHESIS_PROFILE=deep or =mutation for long recipes."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "ci",
    deadline=None,  # never a timed test: speed is the benchmarks' business
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "mutation",
    parent=settings.get_profile("ci"),
    max_examples=25,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],  # that a mutant is noticed is enough: nobody reads by what
    report_multiple_bugs=False,
)
settings.register_profile("deep", parent=settings.get_profile("ci"), max_examples=20_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
