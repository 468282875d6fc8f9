"""New findings about security: in Python by bandit, elsewhere by our own rules; only what is new counts."""

from pathlib import Path

import pytest
from changes_pairs import change, rules

from handrail.changes.verifying import security
from handrail.changes.verifying.change import Side
from handrail.changes.verifying.model import Verdict

SHELL = "import subprocess\n\n\ndef f(x):\n    subprocess.run(x, shell=True)\n"


def found(path: str, text: str) -> list[str]:
    return [finding.rule for finding in security.scan(path, Side("file", text.encode(), len(text)))]


@pytest.mark.parametrize(
    ("path", "bad", "good", "rule"),
    [
        ("a.js", "eval(input);", "eval('1');", "script-evaluates"),
        ("a.ts", "new Function(body);", "new Thing(body);", "script-evaluates"),
        ("a.ts", "execSync(`ls ${x}`);", "execSync(`ls`);", "script-shell"),
        ("a.js", "cp.exec('ls ' + x, done);", "cp.execFile('ls', [x], done);", "script-shell"),
        ("a.js", "exec('ls ' + x);", "re.exec(text);", "script-shell"),
        ("a.js", "spawn(x, {shell: true});", "spawn(x, {shell: false});", "script-shell-option"),
        ("a.js", "get({rejectUnauthorized: false});", "get({rejectUnauthorized: true});", "script-tls"),
        ("a.js", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';", "process.env.A = '0';", "script-tls"),
        ("a.ts", "db.query(`SELECT * FROM t WHERE a = ${x}`);", "db.query('SELECT $1', [x]);", "script-sql"),
        ("a.js", "db.query('SELECT a FROM t WHERE b = ' + x);", "log.info('select ' + x);", "script-sql"),
        ("a.tsx", "e.innerHTML = x;", "e.innerHTML = '';", "script-html"),
        ("a.js", "fs.readFile(path.join(root, req.params.name), done);", "fs.readFile(name, done);", "script-path"),
        ("A.java", 'class A { void f() { Runtime.getRuntime().exec("ls " + x); } }',
         'class A { void f() { new ProcessBuilder("ls", x); } }', "java-shell"),
        ("A.java", 'class A { void f() { s.executeQuery("SELECT a FROM t WHERE b=" + x); } }',
         'class A { void f() { s.executeQuery("SELECT 1"); } }', "java-sql"),
        ("A.java", "class A { Object f() { return new ObjectInputStream(in).readObject(); } }",
         "class A { Object f() { return new BufferedInputStream(in); } }", "java-deserialises"),
        ("A.cs", 'class A { void F() { new SqlCommand($"SELECT {x}"); } }',
         'class A { void F() { new SqlCommand("SELECT @x"); } }', "csharp-sql"),
        ("A.cs", 'class A { void F() { Process.Start("a " + x); } }', 'class A { void F() { Process.Start("a"); } }',
         "csharp-shell"),
        ("a.go", 'package a\nfunc f() { exec.Command("sh", "-c", x) }', 'package a\nfunc f() { exec.Command("ls", x) }',
         "go-shell"),
        ("a.go", "package a\nvar c = tls.Config{InsecureSkipVerify: true}", "package a\nvar c = tls.Config{}",
         "go-tls"),
        ("a.go", 'package a\nfunc f() { db.Query(fmt.Sprintf("SELECT %s", x)) }',
         'package a\nfunc f() { db.Query("SELECT $1", x) }', "go-sql"),
        ("a.rs", 'fn f() { Command::new("sh").arg("-c").arg(x).spawn(); }', 'fn f() { Command::new("ls").arg(x); }',
         "rust-shell"),
        ("a.rs", "fn f() { b.danger_accept_invalid_certs(true); }", "fn f() { b.build(); }", "rust-tls"),
        ("a.c", "void f(char *x) { char b[8]; strcpy(b, x); }", "void f(char *x) { strncpy(b, x, 8); }", "c-unbounded"),
        ("a.cpp", "void f() { system(x.c_str()); }", 'void f() { system("ls"); }', "c-shell"),
    ],
)  # fmt: skip
def test_a_rule_finds_what_is_dangerous_and_leaves_the_rest(path: str, bad: str, good: str, rule: str) -> None:
    assert rule in found(path, bad)
    assert rule not in found(path, good)


async def test_python_is_scanned_by_bandit(tmp_path: Path) -> None:
    made = await security.check(change(tmp_path, {"a.py": "x = 1\n"}, {"a.py": SHELL}))
    assert (made.verdict, rules(made)) == (Verdict.failed, ["bandit-B602"])
    assert (made.findings[0].path, made.findings[0].line) == ("a.py", 5)


async def test_only_what_is_new_counts(tmp_path: Path) -> None:
    both = change(
        tmp_path, {"a.py": SHELL, "b.js": "eval(x);\n"}, {"a.py": f"y = 1\n{SHELL}", "b.js": "\n  eval(x);\n"}
    )
    assert (await security.check(both)).verdict is Verdict.passed


async def test_the_repository_cannot_silence_or_replace_the_scanner(tmp_path: Path) -> None:
    head: dict[str, str | bytes] = {
        "a.py": SHELL.replace("shell=True)", "shell=True)  # nosec"),
        ".bandit": "[bandit]\nskips: B602\nexclude: /\n",
        "pyproject.toml": "[tool.bandit]\nskips = ['B602']\n",
        "bandit.py": f"open({str(tmp_path / 'ran')!r}, 'w')\n",
        "json.py": f"open({str(tmp_path / 'ran')!r}, 'w')\n",
    }
    made = await security.check(change(tmp_path, {}, head))
    assert "bandit-B602" in rules(made)
    assert not (tmp_path / "ran").exists()


async def test_what_only_tests_do_is_for_a_person(tmp_path: Path) -> None:
    made = await security.check(change(tmp_path, {}, {"tests/test_a.js": "eval(x);\n", "tests/test_b.py": SHELL}))
    assert (made.verdict, len(made.findings)) == (Verdict.unsure, 2)


async def test_a_file_that_cannot_be_scanned_is_no_pass(tmp_path: Path) -> None:
    made = await security.check(change(tmp_path, {}, {"a.py": "def f(:\n"}))
    assert (made.verdict, rules(made)) == (Verdict.unsure, ["not_scanned"])
