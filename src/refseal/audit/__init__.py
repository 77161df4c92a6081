"""The audit: the hook's own resolver, explained.

Data flows once, from left to right::

    scan          a repository in, everything that can be said of its instruction files out
      tree          where those files are; ignored: which directories git leaves out of account
      sessions      what a session in each directory gets; reuse: which need not be asked for
      tracked       what git's index says about a file
    subjects      what rules look at: a text, a verdict, a file, a session
      zones         which parts of a text are code or comment
      hidden        what nobody sees in it, decoded; confusables: what it looks like
    rules         one file a rule
    findings      what a rule is, what it says, and the finding that a report shows
      collector     hits -> findings; fingerprints: how a finding stays the same finding
    results       all of it, as the JSON contract has it
    baseline      findings that somebody accepted, with the reason; acceptance: applied to results
    reports       one file a format; quoting: hostile text as a report may show it
    exit_status   what the results mean for whoever started the audit
"""
