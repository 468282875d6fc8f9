// The theme that was chosen on this machine, or else the system's: set before anything is painted.
(() => {
  const chosen = localStorage.getItem("handrail.theme");
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
})();
