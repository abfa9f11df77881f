// Light or dark: as the system says, unless the address (?theme=dark) or somebody chose; drawings come with the class of one theme.

const CHOSEN = "hansa theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
let chosen = new URLSearchParams(location.search).get("theme");
try {
  chosen ??= localStorage.getItem(CHOSEN);
} catch {
  // a page from a file, or in a frame, may have no storage
}

export function theme() {
  return chosen ?? (dark.matches ? "dark" : "light");
}

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
  for (const drawing of document.querySelectorAll("svg.hansa")) dress(drawing);
}

export function dress(drawing) {
  drawing.classList.remove("hansa-light", "hansa-dark");
  drawing.classList.add(`hansa-${theme()}`);
}

export function toggleTheme() {
  chosen = theme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(CHOSEN, chosen);
  } catch {
    // then it is chosen for this time
  }
  applyTheme();
}

dark.addEventListener("change", applyTheme);
