"""A baseline applied to an audit, and what is to be said about the baseline itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.baseline import Baseline, changes
from refseal.audit.collector import Collector
from refseal.audit.rules import baseline_changed, baseline_refused, baseline_stale

if TYPE_CHECKING:
    from refseal.audit.baseline import Entry
    from refseal.audit.findings import Persona
    from refseal.audit.results import Results


def accept(
    results: Results,
    baselines: dict[str, Baseline],
    persona: Persona,
    *,
    proposed: Baseline | None = None,
    proposed_path: str | None = None,
) -> None:
    """Mark what each repository's baseline (by its root) accepts, and add the findings about baselines.

    ``proposed`` is the baseline as the change under audit has it, at ``proposed_path`` of the first
    repository; what it adds to the trusted one is a finding, and accepts nothing.
    """
    collectors = [Collector(repository, persona) for repository in results.repositories]
    unused: list[dict[str, Entry]] = []
    for repository, collector in zip(results.repositories, collectors, strict=True):
        baseline = baselines.get(repository.root)
        if baseline is None:
            continue
        stale, refused = baseline.apply(repository.findings)
        collector.add_all(baseline_refused.RULE, None, baseline_refused.check(refused))
        unused.append({entry.fingerprint: entry for entry in stale})
    if unused and results.repositories:
        # One baseline may speak of several repositories: an entry is stale if none of them needs it.
        stale_everywhere = [
            entry for key, entry in unused[0].items() if all(key in others for others in unused[1:])
        ]
        collectors[0].add_all(baseline_stale.RULE, None, baseline_stale.check(stale_everywhere))
    if proposed is not None and results.repositories:
        root = results.repositories[0].root
        changed = changes(baselines.get(root, Baseline({})), proposed)
        collectors[0].add_all(baseline_changed.RULE, proposed_path, baseline_changed.check(*changed))
    for collector in collectors:
        collector.finish()
