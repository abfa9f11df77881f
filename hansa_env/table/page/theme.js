// Light or dark: as the system says, unless somebody chose here.

const dark = matchMedia("(prefers-color-scheme: dark)");

export function theme() {
  return localStorage.getItem("hansa theme") ?? (dark.matches ? "dark" : "light");
}

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
  for (const drawing of document.querySelectorAll("svg.hansa")) dress(drawing);
}

// The drawing comes with the class of one theme.
export function dress(drawing) {
  drawing.classList.remove("hansa-light", "hansa-dark");
  drawing.classList.add(`hansa-${theme()}`);
}

export function toggleTheme() {
  localStorage.setItem("hansa theme", theme() === "dark" ? "light" : "dark");
  applyTheme();
}

dark.addEventListener("change", applyTheme);
