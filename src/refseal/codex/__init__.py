"""The host: what Codex says, what it has loaded, and what it will show.

Data flows once, from left to right::

    hook            standard input -> at most one JSON object, in time, and never a failure
      payload         what Codex tells a hook; json_codec: JSON, read and written
      deadline        an answer in time, also when a system call never comes back
    session         the question that hook, `refseal show` and audit share: what does a session here get?
      home            where the user's own files are, read once
      configuration   what Codex's own configuration says; configuration_tables: its TOML, if that can matter
      trust           whom it trusts
      thread_files    where Codex keeps transcripts; transcript: what one of them says
      history         what is known of a session's past
      contribution    what may be said of the files that were found
      native          what Codex has loaded of its own accord, mapped to files
      host_limit      how much of one hook's text Codex shows
    lifecycle       what to say in a session that may have heard us before
"""
