"""The table of credentials: broad on secrets, silent on documents."""

from __future__ import annotations

import pytest

from refseal.pathguard import sensitive
from refseal.pathguard.git_metadata import fold
from refseal.pathguard.policy import refuse_by_name

SECRETS = (
    *(
        ".env",
        ".env.local",
        ".env.production",
        ".ENV",
        ".envrc",
        ".envrc.local",
        ".env_prod",
        ".env-staging",
        ".env~",
        ".env.bak",
        "ENV~1.X~2",
        ".config/sops/age/keys.txt",
        ".age/keys.txt",
        ".kube/config.yaml",
        ".config/doctl/config.yaml",
        ".config/glab-cli/config.yml",
        ".fly/config.yml",
        ".config/hcloud/cli.toml",
        ".circleci/cli.yml",
        ".snowflake/connections.toml",
        ".config/ngrok/ngrok.yml",
        ".ngrok2/ngrok.yml",
        ".dbt/profiles.yml",
        ".databricks/token-cache.json",
        ".subversion/auth/svn.simple/x.txt",
        "vault_pass.txt",
        ":x:y.key",
    ),
    *("app.env", "config/prod.env", ".env.example.local", ".env/x.md", ".environment", ".env2", ".env.vault"),
    *("id_rsa", "k/id_rsa", "id_ed25519", "id_ecdsa_sk", "id_rsa_work", "id_rsa.old", "id_rsa.txt", "ID_RSA"),
    *(
        "server.pem",
        "tls/server.key",
        "a.p12",
        "a.pfx",
        "a.ppk",
        "a.jks",
        "pass.kdbx",
        "eu.prod.pem",
        "AuthKey_1.p8",
        "my.ovpn",
    ),
    *(
        ".netrc",
        "_netrc",
        ".npmrc",
        "sub/.npmrc",
        ".pypirc",
        "auth.json",
        ".codex/auth.json",
        "auth.json.bak",
    ),
    *(
        ".aws/credentials",
        ".aws/config",
        ".aws/notes.md",
        ".ssh/config",
        ".ssh/id_rsa.pub",
        ".gnupg/x",
        ".ssh",
    ),
    *(
        ".git-credentials",
        ".pgpass",
        ".my.cnf",
        ".htpasswd",
        ".docker/config.json",
        ".kube/config",
        ".kube/config.bak",
        ".kube/config.bak.old",
        "kubeconfig",
    ),
    *(
        "credentials",
        "credentials.json",
        ".claude/.credentials.json",
        "client_secret_12.json",
        "secrets.yaml",
    ),
    *(
        "service-account.json",
        "service-account-prod.json",
        "secrets.toml",
        "terraform.tfstate",
        "prod.tfvars",
    ),
    *(
        "terraform.tfstate.backup",
        ".bash_history",
        ".vault-token",
        "etc/shadow",
        ".config/gcloud/x",
        ".m2/settings.xml",
    ),
    *(
        ".config/gh/hosts.yml",
        "gh/hosts.yml",
        ".claude.json",
        ".hg/hgrc",
        ".netrc.",
        ".netrc ",
        ".netrc::$DATA",
    ),
    *(
        "kubeconfig.yaml",
        "prod.kubeconfig",
        "terraform.tfvars.json",
        "prod.auto.tfvars.json",
        "shop-firebase-adminsdk-1x2y3-0123456789.json",
        "gcp-service-account.json",
        "my-service-account-key.json",
        "local.settings.json",
        "secrets.json5",
    ),
    *(
        ".env.txt",
        ".netrc.txt",
        "auth.json.txt",
        "auth.json.bak.txt",
        "server.pem.txt",
        "id_rsa.txt",
        "credentials.txt",
        "passwords.txt",
        "secrets.txt.bak",
    ),
    *(".local/share/keyrings/x", "Library/Keychains/login.keychain", ".cargo/credentials.toml", "wallet.dat"),
    # What FAT and NTFS call the same by a short name
    *("ENV~1/x.md", "docs/env~2/x.md", "ENV~1", "SSH~1/config", "x/AWS~12/a.md", "NETRC~1", "CREDEN~1.JSO"),
    *("MY~1.CNF", "KEY4~1.DB"),
)

DOCUMENTS = (
    *(
        "readme~1.md",
        "x~1",
        "env~",
        "env~x",
        "~env",
        "ssh~1.markdown",
        "ssh~1.html",
        "~",
        "~1",
        "notes~1/a.md",
        "backup~2/a.md",
    ),
    *("\u200c", "\u200c\u200d/a.md", "\u200c.md"),
    *(
        "docs/auth.md",
        "environment.md",
        "environments/prod.md",
        "secrets.md",
        "credentials.md",
        "docs/credentials/a.md",
    ),
    *(
        ".env.example",
        ".env.sample",
        ".env.template",
        ".env.local.example",
        "example.env",
        "prod.sample.env",
        "env.md",
        "eu.prod.sample.env",
    ),
    *(
        ".env.dist",
        ".envoy.yaml",
        ".envoy/readme.md",
        "envs/a.md",
        "docs/env",
        "env/a.md",
        "id_rsa.pub",
        "id_rsa.md",
    ),
    *(
        "auth.json.example",
        "auth.ts",
        "src/auth/index.md",
        "authors.md",
        "keys.md",
        "api-key.md",
        "keyboard.md",
    ),
    *(
        "passwords.md",
        "docs/ssh.md",
        "ssh/config.md",
        "docs/aws/a.md",
        "config.json",
        "config",
        "settings.xml",
    ),
    *(
        ".docker/README.md",
        ".docker/nginx.conf",
        ".azure/plan.md",
        ".kube/README.md",
        "hosts.yml",
        "token.md",
    ),
    *(
        "shadow",
        "css/shadow.css",
        "etc/passwd",
        "tokens.json",
        "README.md",
        ".github/a.md",
        ".claude/CLAUDE.md",
    ),
    *(
        ".config/nvim/init.lua",
        "op",
        "hub",
        "docs/terraform.md",
        "main.tf",
        "vars.tfvars.example",
        "history.md",
        "notes.txt",
        "robots.txt",
        ".env.example.txt",
        "id_rsa.pub.txt",
        "tfvars.json",
        "docs/service-account.md",
        "service-accounts/a.json",
        "firebase.json",
        "settings.json",
    ),
    *(
        "a",
        "...",
        "..a",
        "x~",
        "~",
        ".",
        "a.",
        "pem",
        "key",
        "env",
        ".config/a.md",
        "monkey",
        "keystore.md",
        "gh/a.md",
    ),
)


@pytest.mark.parametrize("path", SECRETS)
def test_a_secret_is_refused_by_its_name(path: str) -> None:
    refusal = refuse_by_name(path.split("/"), "r")
    assert refusal is not None
    assert refusal.code == "sensitive"


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_document_is_not_taken_for_a_secret(path: str) -> None:
    assert refuse_by_name(path.split("/"), "r") is None


def test_a_file_of_the_environment_is_a_secret_whether_or_not_a_directory_of_its_name_is_one() -> None:
    assert sensitive.is_sensitive_file(".env", "")


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("a/.ssh/b", "sensitive .ssh"),
        ("a/Token.json", "sensitive Token.json"),
        (".GIT/x", "git-metadata .GIT"),
    ],
)
def test_what_is_refused_is_named_as_it_was_spelled(path: str, where: str) -> None:
    refusal = refuse_by_name(path.split("/"), "r")
    assert refusal is not None
    assert f"{refusal.code} {refusal.where}" == where


@pytest.mark.parametrize("path", ["token.json", "a/token.json", "token.json/a", "a/b/auth.json"])
def test_a_directory_is_no_secret_for_the_name_of_a_file(path: str) -> None:
    assert refuse_by_name(path.split("/"), "r", last_is_file=False) is None


def test_a_root_s_own_name_counts_for_what_lies_right_below_it() -> None:
    assert refuse_by_name(["config.json"], ".docker") is not None
    assert refuse_by_name(["hosts.yml"], "gh") is not None


def test_the_table_is_written_as_it_is_looked_up() -> None:
    names = {*sensitive.DIRECTORIES, *sensitive.FILES, *sensitive.IN_DIRECTORY, *sensitive.ENDINGS}
    assert {name for name in names if fold(name) != name} == set()
    assert {
        name for name in sensitive.DIRECTORIES if not name.startswith(".")
    } == set()  # see `refuse_by_name`
