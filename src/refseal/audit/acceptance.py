"""A baseline applied to an audit, and what is to be said about the baseline itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.audit.baseline import Baseline, changes
from refseal.audit.findings import Finding, order
from refseal.audit.fingerprints import Fingerprints
from refseal.audit.rules import baseline_changed, baseline_refused, baseline_stale

if TYPE_CHECKING:
    from collections.abc import Iterable

    from refseal.audit.baseline import Entry
    from refseal.audit.findings import Hit, Persona, Rule
    from refseal.audit.results import Repository, Results


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
    unused: list[dict[str, Entry]] = []
    for repository in results.repositories:
        baseline = baselines.get(repository.root)
        if baseline is None:
            continue
        stale, refused = baseline.apply(repository.findings)
        _add(repository, baseline_refused.RULE, baseline_refused.check(refused), persona)
        unused.append({entry.fingerprint: entry for entry in stale})
    if unused and results.repositories:
        # One baseline may speak of several repositories: an entry is stale if none of them needs it.
        stale_everywhere = [
            entry for key, entry in unused[0].items() if all(key in others for others in unused[1:])
        ]
        _add(results.repositories[0], baseline_stale.RULE, baseline_stale.check(stale_everywhere), persona)
    if proposed is not None and results.repositories:
        first = results.repositories[0]
        trusted = baselines.get(first.root, Baseline({}))
        _add(
            first,
            baseline_changed.RULE,
            baseline_changed.check(*changes(trusted, proposed)),
            persona,
            proposed_path,
        )


def _add(
    repository: Repository, rule: Rule, hits: Iterable[Hit], persona: Persona, path: str | None = None
) -> None:
    fingerprints = Fingerprints()
    for hit in hits:
        if hit.persona > persona:
            repository.hidden += 1
            continue
        repository.findings.append(
            Finding(
                rule,
                rule.severity if hit.severity is None else hit.severity,
                rule.confidence,
                hit.persona,
                path,
                None,
                None,
                hit.message,
                fingerprints.next(rule.code, path, hit.evidence),
            )
        )
    repository.findings = order(repository.findings)
