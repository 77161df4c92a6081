"""The doctor: whether the hook works for this user, and which step is missing if not.

Data flows once, from left to right::

    programs       what PATH has, started at / and with a time limit
    client         what the user's own Codex says of its version and its hooks
    surroundings   environment, Codex home and its configuration, the client's answers, one session
    checks         one question each: surroundings -> findings
    findings       a status, what was seen, what to do
    diagnosis      all of it, in one call

Codex alone knows whether it trusts a hook: it keeps fingerprints of the definition and of the whole
installed folder, and how they are made changes between versions.  So the client is asked (`hooks/list` of its
app server) rather than imitated.  Nothing here changes anything, but for what Codex itself writes into its
home when it starts.
"""

from refseal.doctor.diagnosis import diagnose
from refseal.doctor.findings import Finding
from refseal.doctor.surroundings import Surroundings

__all__ = ["Finding", "Surroundings", "diagnose"]
