"""Paths that hold secrets, also where a pattern of the shell could stand for one."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

_FOLDERS = frozenset(
    {
        *(".ssh", ".aws", ".gnupg", ".kube", ".azure", ".docker", ".password-store", ".gcloud", "gcloud", ".oci"),
        *(".chef", ".vault", "keychains", "keyrings", ".mozilla", ".thunderbird", "google-chrome", ".bitcoin"),
        *("secrets", ".secrets", "ssl-private", "private-keys-v1.d", ".terraform.d", ".helm", ".sops", ".age"),
    }
)
_FILES = (
    *(".env", ".env.*", "*.env", ".envrc", ".netrc", "_netrc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".npmrc"),
    *(".pypirc", ".git-credentials", ".gitcredentials", ".htpasswd", ".boto", ".s3cfg", ".vault-token", ".esmtprc"),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore"),
    *("*.kdbx", "*.asc", "*.gpg", "*.ppk", "*.ovpn", "shadow", "shadow-", "gshadow", "gshadow-", "sudoers"),
    *("master.passwd", "ntds.dit", "sam", "credentials", "credentials.*", "*credentials*.json", "secrets.*"),
    *("secret.*", "*.secret", "*_secret", "*_secrets", "service-account*.json", "service_account*.json", "token"),
    *("kubeconfig", "kubeconfig.*", "*.kubeconfig", "terraform.tfstate*", "*.tfvars", "*.tfvars.json", "wp-config.php"),
    *("authorized_keys", "cookies.sqlite", "login data", "logins.json", "key4.db", ".bash_history", ".zsh_history"),
    *(".python_history", ".psql_history", ".mysql_history", "application_default_credentials.json", "vault.yml"),
    *("environ", "krb5.keytab", "*.keytab", "hosts.yml", ".dockercfg", ".docker-credentials", "keyfile", "*.jwk"),
)
_PLACES = ("/run/secrets", "/etc/ssl/private", "/etc/sudoers.d", "/etc/letsencrypt/live", "/etc/kubernetes/pki")
_SAMPLES = tuple(sorted({name.replace("*", "x") for name in _FILES} | _FOLDERS))
"""One name for each kind, to see whether a pattern of the shell would find it."""
_WHOLE = frozenset({"", "~", ".", "..", "*", "/", "/etc", "/root", "/home", "/proc", "/run", "/var/run", "/users"})
_GLOB = re.compile(r"[*?\[]")


def is_credential(path: str, *, globs: bool = False) -> bool:
    """Whether a path is one of those where secrets are kept. With `globs`, `*`, `?` and `[…]` stand for other text."""
    lower = re.sub(r"/(?:\./)*/*", "/", path.lower().replace("\\", "/"))
    if any(place in lower for place in _PLACES):
        return True
    # `git show HEAD:.env`, `--file=.env`, `@.env` as curl takes it
    steps = [step for step in re.split(r"[/:=@,]", lower) if step]
    return any(_names_secret(step, globs and bool(_GLOB.search(step))) for step in steps[:200])


def holds_credentials(path: str) -> bool:
    """Whether what is below a folder surely includes secrets: the root, somebody's home, /etc."""
    lower = path.lower().rstrip("/") or "/"
    return lower in _WHOLE - {"", ".", "*", ".."} or re.fullmatch(r"~[\w.-]*|/(?:home|users)/[^/]+", lower) is not None


def _names_secret(step: str, is_glob: bool) -> bool:
    if step in _FOLDERS or any(fnmatchcase(step, pattern) for pattern in _FILES):
        return not step.endswith((".env.example", ".env.sample", ".env.template", ".pub"))
    # the shell's own `*` leaves out names that begin with a dot
    return is_glob and step.strip("*") != "" and any(_found(name, step) for name in _SAMPLES)


def _found(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) and (name[0] != "." or pattern[0] in ".[")
