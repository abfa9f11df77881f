// How far the game is: a strip above the board, with what may end it soon.
import { capital, chip, element, named } from "./dom.js";

export class Standing {
  constructor() {
    this.facts = element("dl", { class: "facts" });
    this.markers = element("div", { class: "marker-worth" });
    this.warnings = element("div", { class: "warnings", role: "status" });
    this.place = element("section", { class: "standing", "aria-label": "How far the game is" }, this.facts, this.markers, this.warnings);
  }

  show({ standing, over }, seats) {
    const { round, pile, completed, completed_to_end: cities, prestige, prestige_to_end: most } = standing;
    this.facts.replaceChildren(
      fact("Round", String(round), "R2.1", ""),
      fact("Pile", String(pile), "R5.3", "markers that nobody has seen; the game ends when one is due and there is none", pile < 2),
      fact("Cities", `${completed} of ${cities}`, "R5.6", "completed cities; the last of these ends the game", cities - completed < 2),
      fact("Prestige", `${prestige} of ${most}`, "R7.1", "the most that a seat has; whoever comes to the last ends the game", most - prestige < 5));
    this.markers.replaceChildren(worth(standing, seats));
    const told = standing.warnings.map((words) => named(capital(words), seats));
    this.warnings.hidden = over;
    if (told.join() === this.told) return;  // said once, not at every decision
    this.told = told.join();
    this.warnings.replaceChildren(...told.map((words) => element("p", {}, words)));
  }
}

function fact(name, value, rule, title, near = false) {
  return element("div", { class: near ? "near" : "", title, "data-rule": rule }, element("dt", {}, name), element("dd", {}, value));
}

// What so many markers are worth at the end, with who has how many: 1 → 1, 2–3 → 3, ...
function worth({ marker_points: points, markers }, seats) {
  const groups = [];
  points.forEach((value, count) => {
    const last = groups.at(-1);
    if (last?.value === value) last.to = count;
    else groups.push({ value, from: count, to: count });
  });
  const cells = groups.filter(({ to }) => to > 0).map(({ value, from, to }, n, all) => {
    const range = n === all.length - 1 ? `${from}+` : from === to ? String(from) : `${from}–${to}`;
    const here = seats.filter(({ seat }) => (seat === undefined ? false : markers[seat] >= from && (markers[seat] <= to || n === all.length - 1)));
    return element("li", { class: here.length ? "some" : "" }, element("span", {}, range), element("b", {}, String(value)),
      element("span", { class: "who" }, here.map(({ seat }) => chip(seat))));
  });
  return element("div", {}, element("span", { class: "soft label", "data-rule": "R7.4" }, "Markers taken → points"), element("ol", {}, cells));
}
