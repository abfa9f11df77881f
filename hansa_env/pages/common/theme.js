// Light or dark: as the system says, unless the address (?theme=dark) or somebody chose; drawings come with the class of one theme.
import { remember, remembered } from "./storage.js";

const CHOSEN = "hansa theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
let chosen = new URLSearchParams(location.search).get("theme") ?? remembered(CHOSEN);

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
  remember(CHOSEN, chosen);
  applyTheme();
}

dark.addEventListener("change", applyTheme);
