"""A server that says it is well takes what it offers, also where no worker is there yet."""

from __future__ import annotations

from server import ServerProcess


def test_a_task_is_taken_from_the_first_answer_on(server: ServerProcess) -> None:
    with server.client() as http:
        assert http.get("/health").status_code == 200
        task = {"operation": "deploy", "environment": "staging", "description": "Deploy billing"}
        taken = http.post("/orchestrate", json=task)
        run = http.get(f"/api/runs/{taken.json()['workflow_id']}").json()

    assert taken.status_code == 202
    assert run["status"] == "queued"
    assert "No worker serves 'task'" in run["hint"]
