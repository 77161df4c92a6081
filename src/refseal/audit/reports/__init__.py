"""The reports, one file a format; each is a pure function from results to text.

json_report   the contract `refseal.audit/1`, for programs
sarif         SARIF 2.1.0, for code scanning
github        workflow commands, for annotations on a pull request
text          for people at a terminal
html          for people with a browser; graph: its picture
"""
