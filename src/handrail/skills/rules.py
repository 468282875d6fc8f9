"""Handrail's own rules for what skills must not do, over code and prose; also a program, run in a separate process."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from handrail.core.skills import Files, Finding, Severity
from handrail.skills import contents, unfolding

# no expression below can take long on a line of this length
LONGEST_LINE = 4000
# of a longer one, parts that share so much with the next
SHARED = 500
PROSE = frozenset({".md", ".txt", ".rst", ".yaml", ".yml", ".html"})
# may have long lines: they are read all through, and nobody runs them
DATA = frozenset({".json", ".jsonl", ".csv", ".tsv", ".xml", ".xsd", ".svg", ".css", ".lock", ".ipynb"})
# not text, and an interpreter may take it for some all the same
TAKEN_FOR_TEXT = frozenset({"unreadable", "disguised"})


@dataclass(frozen=True, slots=True)
class Rule:
    """`prose`: a rule for what is said to a model, which only texts can do; `code`: for all but texts."""

    id: str
    severity: Severity
    message: str
    pattern: re.Pattern[str]
    prose: bool = False
    code: bool = False

    def concerns(self, *, prose: bool) -> bool:
        return not self.code if prose else not self.prose


def _rule(id_: str, severity: Severity, message: str, pattern: str, *, prose: bool = False, code: bool = False) -> Rule:
    return Rule(id_, severity, message, re.compile(pattern, re.IGNORECASE | re.MULTILINE), prose, code)


RULES: tuple[Rule, ...] = (
    # personal data and secrets
    _rule("ssh-keys", "critical", "touches SSH keys", r"\.ssh\b[/\\]|\bid_(rsa|ed25519|ecdsa)\b|authorized_keys"),
    _rule(
        "stored-credentials",
        "critical",
        "touches stored credentials",
        r"\.aws[/\\]credentials|\.config[/\\]gcloud|\.kube[/\\]config|\.azure[/\\]|\.docker[/\\]config\.json"
        r"|\.netrc\b|\.git-credentials|\.pypirc\b|\.npmrc\b|keyring\.get_|secretstorage|find-generic-password",
    ),
    _rule("accounts", "critical", "reads the machine's accounts", r"/etc/(shadow|passwd|sudoers|gshadow)"),
    _rule(
        "browser-data",
        "critical",
        "reads browser data",
        r"login data\b|cookies\.sqlite|logins\.json|chrome[/\\]user data|\.mozilla[/\\]firefox|browser_cookie3",
    ),
    _rule("wallets", "critical", "reads a crypto wallet", r"wallet\.dat|\.electrum\b|seed phrase|metamask"),
    _rule(
        "spying",
        "critical",
        "records keys, screen, microphone or clipboard",
        r"\bpynput\b|keyboard\.(on_press|record|hook)|ImageGrab|screencapture\b|pyperclip\.paste|pyaudio|sounddevice",
    ),
    _rule(
        "environment",
        "medium",
        "reads the whole environment, which may hold secrets",
        r"(dict|str|repr|dumps|list)\(\s*os\.environ|os\.environ\.(copy|items|values)\(|JSON\.stringify\(process\.env"
        r"|\bprintenv\b\s*($|[|>])|^\s*env\s*[|>]|/proc/(self|\d+)/environ",
    ),
    _rule(
        "mail-and-contacts",
        "high",
        "reads mail or contacts",
        r"\.thunderbird|addressbook[/\\]|library/mail|imaplib|poplib",
    ),
    # getting data out
    _rule(
        "data-sink",
        "critical",
        "names a service that collects data",
        r"webhook\.site|requestbin|pipedream\.net|ngrok(-free)?\.(io|app)|transfer\.sh|pastebin\.com|oastify\.com"
        r"|discord(app)?\.com/api/webhooks|api\.telegram\.org/bot|burpcollaborator|interact\.sh",
    ),
    _rule(
        "upload",
        "high",
        "uploads data",
        r"\bcurl\b[^\n|]{0,200}\s(-d|--data\S*|-F|--form|-T|--upload-file)\b|\bwget\b[^\n]{0,200}--post-"
        r"|/dev/tcp/|\b(nc|ncat|socat)\s+-?\S|\bscp\s+\S+\s+\S+:|requests\.(post|put|patch)|httpx\.(post|put|patch)"
        r"|ftplib|paramiko|smtplib",
    ),
    _rule(
        "network",
        "low",
        "uses the network, which the sandbox does not have",
        r"\bimport\s+(requests|httpx|aiohttp|socket|http\.client|websockets?)\b|urllib\.request|socket\.socket\("
        r"|\bfetch\(\s*['\"]https?:|new WebSocket\(|axios\.",
    ),
    _rule("dns", "high", "sends data through DNS lookups", r"\b(nslookup|dig)\s[^\n]{0,100}(\$\(|`|\$\{)"),
    # dangerous operations
    _rule(
        "deletes-everything",
        "critical",
        "deletes outside its own files",
        r"\brm\s+(-\w+\s+)*-\w*[rf]\w*\s+(-\w+\s+)*(--no-preserve-root|[\"']?(/|~|\$HOME|\$\{HOME|\.\./))"
        r"|rmtree\(\s*([\"'](/|~)|os\.path\.expanduser|Path\.home|Path\(\s*[\"']/)|del\s+/[sq]\s|format\s+c:",
    ),
    _rule(
        "disks", "critical", "writes to disks", r"\bmkfs(\.\w+)?\b|\bdd\s[^\n]{0,80}of=/dev/|>\s*/dev/(sd|nvme|disk)"
    ),
    _rule("fork-bomb", "critical", "is a fork bomb", r":\(\)\s*\{\s*:\s*\|\s*:\s*&\s*\}|while\s+True:\s*os\.fork"),
    _rule(
        "runs-downloads",
        "critical",
        "runs what it downloads",
        r"\b(curl|wget|iwr)\b[^\n]{0,200}\|\s*(sudo\s+)?((ba|z|da|k)?sh|python3?|node|perl|iex)\b|(ba)?sh\s+<\(\s*curl|(ba)?sh\s+-c\s+[\"']?\$\(\s*(curl|wget)",
    ),
    _rule(
        "privileges",
        "high",
        "asks for elevated rights",
        r"\bsudo\s+\S|\bpkexec\b|\bsetuid\(|\bdoas\s|chmod\s+[ugo]*\+s\b",
    ),
    _rule(
        "persistence",
        "high",
        "installs itself permanently on the machine",
        r"\bcrontab\b|/etc/cron|systemctl\s+(enable|start)|launchctl\s+load|\.(bashrc|zshrc|profile|bash_profile)\b"
        r"|schtasks\s|CurrentVersion\\Run",
    ),
    _rule(
        "breaking-out",
        "critical",
        "tries to leave a container",
        r"docker\.sock|\bnsenter\b|--privileged\b|/proc/1/root",
    ),
    _rule("open-to-all", "medium", "makes files writable for everyone", r"chmod\s+(-R\s+)?0?777"),
    _rule(
        "stops-things",
        "medium",
        "stops processes or the machine",
        r"\bkillall\b|\bpkill\b|kill\s+-9\s+-1|\bshutdown\s+(-|now)|\breboot\b|systemctl\s+(stop|disable)|os\.kill\(",
    ),
    _rule(
        "drops-data",
        "medium",
        "destroys data of a database",
        r"\bDROP\s+(TABLE|DATABASE|SCHEMA)\b|\bTRUNCATE\s+TABLE\b",
    ),
    _rule(
        "rewrites-history", "medium", "overwrites a repository's history", r"git\s+push\s[^\n]{0,80}(--force|\s-f)\b"
    ),
    _rule(
        "installs",
        "low",
        "installs software, but the sandbox has no network",
        r"\bpip3?\s+install\s+\S|\bnpm\s+(i|install)\s+\S|\bapt(-get)?\s+install|\bbrew\s+install|\bcargo\s+install",
    ),
    # hiding
    _rule(
        "hidden-code",
        "critical",
        "runs code that is hidden in data",
        r"(exec|eval|compile)\s*\(\s*[^\n]{0,60}(b64decode|fromhex|decompress|decode\(\s*[\"']rot|marshal|chr\()"
        r"|base64\s+(-d|-D|--decode)[^\n]{0,100}\|\s*(ba|z)?sh|-enc(odedcommand)?\s+[A-Za-z0-9+/=]{20}"
        r"|eval\(\s*atob\(|new Function\(\s*atob",
    ),
    _rule(
        "runs-data",
        "high",
        "runs what it reads from a file",
        r"\bexec\s*\([^\n]{0,80}(\bopen\(|\.read(_text|_bytes)?\(|\.decode\()|runpy\.run_path|\bzipimport\b",
    ),
    _rule(
        "evaluates",
        "medium",
        "runs text as code",
        r"\beval\s*\(|\beval\s+[\"'$`]|new\s+Function\s*\(|\bvm\.run(InThis|InNew|In)Context\b",
        code=True,
    ),
    _rule(
        "decodes",
        "medium",
        "decodes unreadable data",
        r"\bbase64\s+(-d|-D|--decode)\b|\bxxd\s+-\w*r|\buudecode\b|certutil\s+-decode|openssl\s+enc\s[^\n]{0,60}-d\b",
        code=True,
    ),
    _rule(
        "hidden-import",
        "medium",
        "imports or looks up by a computed name",
        r"__import__\(|getattr\(\s*__builtins__|globals\(\)\[|importlib\.import_module\(\s*[^\"'\s)]",
    ),
    _rule(
        "loads-objects",
        "medium",
        "loads objects that can run code",
        r"(c?pickle|marshal|dill|joblib)\.(loads?|Unpickler)\(|\bfrom\s+(_?c?pickle|marshal|dill|joblib|cloudpickle)\s+import"
        r"|\bUnpickler\(|read_pickle\(|torch\.load\((?![^)]*weights_only\s*=\s*True)|allow_pickle\s*=\s*True"
        r"|shelve\.open\(|jsonpickle\.decode|yaml\.(unsafe_load|full_load)\(|yaml\.load\((?![^)]*Safe)",
    ),
    _rule(
        "unseen-characters",
        "high",
        "has invisible characters",
        "[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\U000e0000-\U000e007f]",
    ),
    # said to a model
    _rule(
        "prompt-injection",
        "critical",
        "tells the model to forget its instructions",
        r"(ignore|disregard|forget|override)\s+(all\s+|any\s+|the\s+|your\s+|every\s+)*(previous|prior|above|earlier|system|other|safety)"
        r"\s+(\w+\s+){0,2}(instruction|rule|prompt|guideline|message|polic|restriction)",
        prose=True,
    ),
    _rule(
        "jailbreak",
        "critical",
        "tells the model to drop its limits",
        r"\b(you are now|act as|become)\b.{0,30}\b(DAN|unrestricted|jailbroken|unfiltered|root)\b"
        r"|developer mode enabled|no (ethical|safety) (guidelines|limits|restrictions)",
        prose=True,
    ),
    _rule(
        "secrecy",
        "high",
        "tells the model to keep something from people",
        r"(do not|don't|never|without)\s+(tell|inform|mention|reveal|show|notify|notifi|alert)\w*"
        r".{0,40}\b(user|human|person|people|operator|anyone|owner)\b|\b(silently|secretly|covertly)\s+(send|copy|upload|read|run|delete|collect)",
        prose=True,
    ),
    _rule(
        "around-approval",
        "high",
        "tells the model to bypass approvals or limits",
        r"(bypass|circumvent|evade|disable|skip|avoid)\s+(\w+\s+){0,3}(approval|confirmation|sandbox|safety|security|review|policy|guardrail|permission)"
        r"|without\s+(asking|waiting for|getting)\s+(\w+\s+){0,2}(approval|permission|confirmation|consent)",
        prose=True,
    ),
    _rule(
        "prompt-theft",
        "high",
        "asks for hidden instructions",
        r"(reveal|print|repeat|output|show)\s.{0,30}(system prompt|hidden instructions|initial instructions)",
        prose=True,
    ),
    _rule(
        "sends-secrets",
        "critical",
        "tells the model to reveal secrets or conversations",
        r"(send|upload|post|forward|transmit|exfiltrate|e-?mail|append)\b.{0,60}(api[ _-]?keys?|passwords?"
        r"|credentials?|secrets?|tokens?"
        r"|personal data|conversation|chat history|environment variables?).{0,60}(\bto\b|https?://)",
        prose=True,
    ),
    _rule(
        "collects-personal-data",
        "high",
        "tells the model to collect personal data",
        r"(collect|gather|harvest|extract|steal|scrape)\b.{0,60}(passwords?|credit card|social security|passport"
        r"|bank account|personal data|phone numbers|home address|medical|date of birth)",
        prose=True,
    ),
    _rule(
        "hidden-comment",
        "high",
        "hides instructions in a comment",
        r"<!--.{0,200}(instruction|assistant|you must|ignore|execute|run the).{0,200}-->",
        prose=True,
    ),
)


def check(files: Files) -> tuple[Finding, ...]:
    """What the rules find, by file and line; each rule once a file."""
    return tuple(finding for path, content in sorted(files.items()) for finding in _check_file(path, content))


def _check_file(path: str, content: bytes) -> Iterator[Finding]:
    closed = contents.unreadable(path, content)
    if closed is not None:
        yield closed
    if contents.is_text(content) or (closed is not None and closed.rule in TAKEN_FOR_TEXT):
        yield from _check_text(path, contents.readable(content))


def _check_text(path: str, text: str) -> Iterator[Finding]:
    ending = PurePosixPath(path).suffix.lower()
    longest = max(map(len, text.splitlines()), default=0)
    if longest > LONGEST_LINE and ending not in PROSE | DATA:
        yield Finding("long-line", "medium", f"has a line of {longest} characters, too long to read", path)
    line = contents.encoded(text, pictures=ending in PROSE | DATA)
    if line is not None:
        yield Finding("long-data", "medium", "has a long stretch of encoded data", path, line)
    line = contents.odd_encoding(text)
    if line is not None:
        yield Finding("odd-encoding", "high", "is written in an encoding that turns it into other code", path, line)
    line = unfolding.spelled_out(text)
    if line is not None:
        yield Finding("spelled-out-code", "high", "spells out letters as codes", path, line)
    yield from _check_rules(path, text, prose=ending in PROSE)


def _check_rules(path: str, text: str, *, prose: bool) -> Iterator[Finding]:
    """In the text as it is, then in what its codes say."""
    lines = list(enumerate(text.splitlines(), 1))
    plain, hidden = _Parts(lines), _Parts(unfolding.unfolded(lines))
    for rule in (rule for rule in RULES if rule.concerns(prose=prose)):
        line = plain.line_of(rule.pattern)
        if line is not None:
            yield Finding(rule.id, rule.severity, rule.message, path, line)
        elif (line := hidden.line_of(rule.pattern)) is not None:
            yield Finding(rule.id, rule.severity, f"{rule.message}, written as codes", path, line)


class _Parts:
    """Lines of which long ones are read in parts, and that know their numbers all the same."""

    def __init__(self, lines: Iterable[tuple[int, str]]) -> None:
        self._lines: list[int] = []
        parts: list[str] = []
        for number, line in lines:
            for start in range(0, max(len(line) - SHARED, 1), LONGEST_LINE - SHARED):
                parts.append(line[start : start + LONGEST_LINE])
                self._lines.append(number)
        self._text = "\n".join(parts)

    def line_of(self, pattern: re.Pattern[str]) -> int | None:
        found = pattern.search(self._text)
        return self._lines[self._text.count("\n", 0, found.start())] if found else None


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    sys.stdout.write(json.dumps([asdict(finding) for finding in check(found)]))
