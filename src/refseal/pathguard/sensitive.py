"""Where credentials live: one table, as data.

A name is looked at in the folded form of `git_metadata.fold`, and stripped of what marks a backup copy.  The
table means to be broad on what only ever holds secrets, and silent on documents: `docs/auth.md`,
`environment.md`, `secrets.md`, `credentials/README.md`, `.env.example` are ordinary.  A public key
(`id_rsa.pub`) is no secret and is not refused here.  Templates are not secrets either: `auth.json.example`
is not `auth.json`.
"""

from __future__ import annotations

DIRECTORIES = frozenset(
    {
        ".ssh", ".aws", ".gnupg", ".password-store", ".vault", ".secrets", ".credentials", ".gcloud", ".oci",
        ".keychain", ".keyrings", ".pki", ".mozilla", ".thunderbird", ".bitcoin", ".ethereum",
        ".env", ".envs",
        ".hg", ".svn",  # an older system's `.git`: its settings hold passwords too
    }
)  # fmt: skip
"""Nothing below a directory of this name is read."""

FILES = frozenset(
    {
        # Logins of package managers and registries
        ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".dockercfg", ".gem_credentials", ".condarc",
        ".terraformrc", "terraform.rc", "credentials.tfrc.json", ".nuget.config", "settings-security.xml",
        # Logins of network tools and databases
        ".netrc", "_netrc", ".git-credentials", ".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf",
        ".htpasswd", ".htdigest", ".smbcredentials", ".s3cfg", ".boto", ".mc.json", ".passwd-s3fs",
        ".fetchmailrc", ".msmtprc", ".authinfo", ".authinfo.gpg", ".rclone.conf", "rclone.conf", ".wgetrc",
        ".curlrc", "kubeconfig", ".kubeconfig", "kubeconfig.yaml", "kubeconfig.yml", "kubeconfig.json",
        ".vault-token", ".vault_pass", ".vault_password",
        ".vault-pass", "vault_pass.txt",
        # Logins of agents and clouds
        "auth.json", ".auth.json", "credentials", ".credentials", "credentials.json", ".credentials.json",
        "credentials.toml", "credentials.yml", "credentials.yaml", "credentials.ini", "credentials.db",
        "credentials.csv", "accesskeys.csv", "rootkey.csv",
        "application_default_credentials.json", "client_secret.json", "client_secrets.json",
        "service-account.json", "service_account.json", "serviceaccount.json", "service-account-key.json",
        "serviceaccountkey.json", "oauth_creds.json", "google_accounts.json", "msal_token_cache.json",
        "accesstokens.json", "token.json",
        ".claude.json", "kaggle.json", ".sentryclirc", ".dockerconfigjson", ".databrickscfg", ".transifexrc",
        # Secrets by their own name
        ".secret", ".secrets", ".token", ".password", ".passwd", ".environment", "secret_token.rb",
        "secret.json", "secrets.json", "secret.yml", "secrets.yml", "secret.yaml", "secrets.yaml",
        "secret.toml", "secrets.toml", "secret.txt", "secrets.txt", "secrets.ini", "secrets.properties",
        "secrets.json5", "secrets.jsonc", "local.settings.json",
        "password.txt", "passwords.txt", "passwords.csv", "wallet.dat",
        # Private keys and logins that a browser or mail program keeps
        "secring.gpg", "key4.db", "key3.db", "logins.json", "cookies.sqlite",
        # What was typed into a shell: passwords among it
        ".bash_history", ".zsh_history", ".sh_history", ".history", ".python_history", ".node_repl_history",
        ".psql_history", ".mysql_history", ".sqlite_history", ".rediscli_history", ".irb_history",
        "fish_history",
    }
)  # fmt: skip
"""A file of this name is not read."""

ENDINGS = frozenset(
    {
        "pem", "key", "p8", "p12", "pfx", "pkcs12", "pk8", "ppk", "jks", "jceks", "bks", "keystore", "kdb",
        "kdbx", "keytab", "keychain", "agekey", "ovpn", "agilekeychain", "opvault",
        "tfstate", "tfvars", "htpasswd", "kubeconfig",
    }
)  # fmt: skip
"""Private keys, key stores, logins: not read whatever stands before the last dot."""

LONG_ENDINGS = (".tfvars.json", ".tfstate.json")
"""The same in another notation."""

IN_DIRECTORY = {
    "config.json": frozenset({".docker"}),
    "config": frozenset({".kube"}),
    "config.yaml": frozenset({".kube", "doctl"}),
    "config.yml": frozenset({".fly", "glab-cli"}),
    "cli.toml": frozenset({"hcloud"}),
    "cli.yml": frozenset({".circleci"}),
    "connections.toml": frozenset({".snowflake", "snowflake"}),
    "keys.txt": frozenset({".age", "age"}),
    "ngrok.yml": frozenset({".ngrok2", "ngrok"}),
    "profiles.yml": frozenset({".dbt"}),
    "token-cache.json": frozenset({".databricks"}),
    "auth": frozenset({".subversion"}),
    "hosts.yml": frozenset({"gh"}),
    "hosts.json": frozenset({"github-copilot"}),
    "apps.json": frozenset({"github-copilot"}),
    "token": frozenset({"huggingface", ".huggingface"}),
    "access-token": frozenset({".supabase"}),
    "hub": frozenset({".config"}),
    "settings.xml": frozenset({".m2"}),
    "gradle.properties": frozenset({".gradle"}),
    "shadow": frozenset({"etc"}),
    "shadow-": frozenset({"etc"}),
    "gshadow": frozenset({"etc"}),
    "gshadow-": frozenset({"etc"}),
    "sudoers": frozenset({"etc"}),
    "gcloud": frozenset({".config"}),
    "op": frozenset({".config"}),
    "keyrings": frozenset({"share", ".local"}),
    "keychains": frozenset({"library"}),
}
"""An ordinary name that holds a secret right below one of these directories."""

KEY_PREFIXES = ("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss")
"""Private keys of ssh, with whatever a person added: ``id_rsa_work``, ``id_ed25519-github``."""

ACCOUNT_PREFIXES = ("client_secret_", "serviceaccount-")
"""As Google names the JSON files that it hands out, when they end in ``.json``."""

ACCOUNT_PARTS = ("firebase-adminsdk", "service-account", "service_account")
"""As it and people name them behind a project's name: ``shop-firebase-adminsdk-1x2y3-0123456789.json``."""

BACKUP_ENDINGS = (
    *("~", ".bak", ".old", ".orig", ".save", ".saved", ".backup", ".copy", ".tmp", ".swp", ".swo"),
    ".txt",  # what Windows puts behind a name that it does not know
    *(".", " "),  # NTFS drops these from the end of a name
)
"""A copy by hand or by an editor holds the same secret."""

TEMPLATE_ENDINGS = frozenset({"example", "examples", "sample", "template", "tmpl", "tpl", "dist", "schema"})
"""``.env.example`` is written for people to read."""

TEMPLATE_STEMS = frozenset({"example", "sample", "template"})
"""``example.env`` too."""

DOCUMENT_ENDINGS = frozenset({"md", "mdx", "markdown", "rst", "adoc", "pub"})
"""``id_rsa.md`` writes about a key, ``id_rsa.pub`` is its public half."""


def is_sensitive_directory(folded: str, parent: str) -> bool:
    """Whether nothing at or below the folded name ``folded`` in the directory ``parent`` is read."""
    return (
        folded in DIRECTORIES
        or (folded in IN_DIRECTORY and parent in IN_DIRECTORY[folded])
        or ("~" in folded and _is_short_name(folded))
    )


def is_sensitive_file(folded: str, parent: str) -> bool:
    """Whether a file of the folded name ``folded`` in the directory ``parent`` holds a secret."""
    if folded in FILES:
        return True
    if folded.endswith(BACKUP_ENDINGS) or ":" in folded:
        plain = _without_backup(folded)
        if plain != folded:
            return is_sensitive_directory(plain, parent) or is_sensitive_file(plain, parent)
    stem, dot, ending = folded.rpartition(".")
    return (
        (dot == "." and ending in ENDINGS)
        or (folded.startswith(".env") and _is_environment(folded))
        or (
            dot == "."
            and ending == "env"
            and stem not in TEMPLATE_STEMS
            and stem.rpartition(".")[2] not in TEMPLATE_STEMS
        )
        or (folded.startswith(KEY_PREFIXES) and ending not in DOCUMENT_ENDINGS)
        or (
            ending == "json"
            and (folded.startswith(ACCOUNT_PREFIXES) or any(part in stem for part in ACCOUNT_PARTS))
        )
        or folded.endswith(LONG_ENDINGS)
    )


def _stem_of_short_name(name: str) -> str:
    """Return what DOS keeps of a long name before the ``~``: six letters, no dots."""
    return (name.rpartition(".")[0] or name).replace(".", "")[:6]


def _is_short_name(folded: str) -> bool:
    """Whether FAT and NTFS may know a name of the table as ``folded``: ``.env`` also is ``ENV~1``."""
    stem, _tilde, rest = folded.partition("~")
    number, _dot, ending = rest.partition(".")
    if not number.isdigit() or len(ending) > 3:
        return False
    # So few names are of this form that their table is not worth a place in every start.
    return any(stem == _stem_of_short_name(name) for name in DIRECTORIES | FILES)


def _is_environment(name: str) -> bool:
    """Whether a name that starts with ``.env`` is that of an environment file, and no template of one."""
    rest = name[4:]
    if rest in {"", "rc"}:
        return True
    if rest[0].isalpha():  # `.envoy.yaml`
        return rest.startswith("rc.")
    return name.rpartition(".")[2] not in TEMPLATE_ENDINGS


def _without_backup(name: str) -> str:
    """Take off a stream's name (NTFS) and one ending of a copy."""
    plain = name.partition(":")[0] or name
    for ending in BACKUP_ENDINGS:
        if plain.endswith(ending) and len(plain) > len(ending):
            return plain.removesuffix(ending)
    return plain
