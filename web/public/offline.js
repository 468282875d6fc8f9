// Opens what was asked for as soon as the server answers. It asks by itself, and at once when the network is back.
const PAUSE_MS = 5_000;
const said = document.getElementById("trying");

if (!navigator.onLine) {
  document.getElementById("why").textContent = "This device has no network. The page opens by itself as soon as it has one.";
}

async function tried(words) {
  said.textContent = words;
  try {
    const { ok } = await fetch("/health", { cache: "no-store" });
    if (ok) return location.reload();
    said.textContent = "The server answers, but it is not ready yet.";
  } catch {
    // how often it failed before is of no use to anybody
    said.textContent = words && "Still no connection.";
  }
}

document.getElementById("again").addEventListener("click", () => tried("Trying…"));
addEventListener("online", () => tried("Trying…"));
setInterval(() => tried(""), PAUSE_MS);
