"""What a newcomer types first: who am I, a way in, completion."""

from __future__ import annotations

from pathlib import Path

from server import ServerProcess, environment, shell


def test_whoami(server: ServerProcess) -> None:
    said = server.run("whoami", token=server.admin_token)
    assert said.exit == 0
    assert server.url in said.out and "administrator" in said.out and "cto" in said.out
    assert server.run("whoami", "--json", token=server.admin_token).json()["server"] == server.url


def test_a_link_for_the_administrator_leads_to_the_server_that_runs(server: ServerProcess) -> None:
    code = f"handrail admin-link --data {server.data} --quiet"
    link = shell(code, **{**environment(server.folder), "PATH": _path()}).strip()
    assert link.startswith(f"{server.url}/sign-in#")
    signed_in = server.run("login", "--code", link)
    assert "Signed in" in signed_in.out, signed_in.err


def test_a_link_is_not_made_where_there_is_no_handrail(server: ServerProcess, tmp_path: Path) -> None:
    said = server.run("admin-link", "--data", str(tmp_path / "nowhere"))
    assert said.exit == 3
    assert "handrail up" in said.err
    assert not (tmp_path / "nowhere").exists()


def test_the_shell_completes_once_it_was_told_to(server: ServerProcess, tmp_path: Path) -> None:
    done = server.run("completion", "install", "--shell", "bash", HOME=str(tmp_path))
    assert done.exit == 0, done.err
    assert "handrail" in (tmp_path / ".bashrc").read_text()
    asked = {"_HANDRAIL_COMPLETE": "complete_bash", "COMP_WORDS": "handrail pen", "COMP_CWORD": "1"}
    assert server.run(**asked).out.split() == ["pending"]


def test_ids_alone_are_printed_where_that_is_asked_for(server: ServerProcess) -> None:
    bot = server.token_of("quiet bot", kind="agent")
    with server.client(bot) as http:
        asked = {"kind": "confirmation", "title": "Send it", "case_id": "quiet"}
        hold = http.post("/api/holds", json=asked).raise_for_status().json()
    listed = server.run("pending", "--case", "quiet", "--wait", "--quiet", token=bot)
    assert listed.out == f"{hold['short_id']}\n"
    assert hold["id"] in server.run("show", hold["short_id"].lower(), token=bot).out


def _path() -> str:
    import sys

    return f"{Path(sys.executable).parent}:/usr/bin:/bin"
