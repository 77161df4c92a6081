"""The audit: the hook's own resolver, explained.

findings, fingerprints   what a rule is, what it says, and how a finding stays the same finding
subjects                 what rules look at: a text, a file, a reference, a scope
rules                    one file a rule
scan                     a repository in, everything that can be said of it out
baseline                 findings that somebody accepted, with the reason
reports                  one file a format
"""
