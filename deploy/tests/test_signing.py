"""Tags and checksums are signed and checked as docs/releases.md says, here with an SSH key of the test's own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

PERSON = "releases@example.com"


class Repository:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # nothing of the person's whose machine this is
        self._environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

    def run(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.folder, env=self._environment, input=given, capture_output=True, text=True, check=False
        )

    def git(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run("git", *words)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """With a key that signs, and the file of keys that are believed."""
    made = Repository(tmp_path)
    for name in ("key", "strange"):
        assert made.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", name).returncode == 0
    (tmp_path / "allowed-signers").write_text(f"{PERSON} {(tmp_path / 'key.pub').read_text()}")
    for words in (
        ("init", "--quiet"),
        ("config", "user.name", "A releaser"),
        ("config", "user.email", PERSON),
        ("config", "gpg.format", "ssh"),
        ("config", "user.signingKey", "key.pub"),
        ("config", "gpg.ssh.allowedSignersFile", "allowed-signers"),
        ("commit", "--quiet", "--allow-empty", "--message", "chore: a release"),
    ):
        assert made.git(*words).returncode == 0
    return made


def test_a_signed_tag_can_be_checked_and_one_of_another_key_or_of_none_cannot(repository: Repository) -> None:
    assert repository.git("tag", "--sign", "v1.0.0", "--message", "Handrail 1.0.0").returncode == 0
    assert repository.git("verify-tag", "v1.0.0").returncode == 0
    assert repository.git("config", "user.signingKey", "strange.pub").returncode == 0
    assert repository.git("tag", "--sign", "v1.0.1", "--message", "Handrail 1.0.1").returncode == 0
    assert repository.git("verify-tag", "v1.0.1").returncode != 0
    assert repository.git("tag", "--annotate", "v1.0.2", "--message", "Handrail 1.0.2").returncode == 0
    assert repository.git("verify-tag", "v1.0.2").returncode != 0


def test_signed_checksums_can_be_checked_and_changed_ones_cannot(repository: Repository) -> None:
    sums = repository.folder / "SHA256SUMS"
    sums.write_text("0" * 64 + "  handrail-1.0.0.tar.gz\n")
    assert repository.run("ssh-keygen", "-Y", "sign", "-f", "key", "-n", "file", sums.name).returncode == 0
    check = [
        "ssh-keygen",
        "-Y",
        "verify",
        "-f",
        "allowed-signers",
        "-I",
        PERSON,
        "-n",
        "file",
        "-s",
        f"{sums.name}.sig",
    ]
    assert repository.run(*check, given=sums.read_text()).returncode == 0
    assert repository.run(*check, given=sums.read_text().replace("0", "1")).returncode != 0
