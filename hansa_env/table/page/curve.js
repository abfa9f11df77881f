// The share of the win that an agent gives each seat over a game, all together 1, with the biggest swings marked.
import { WinChart } from "./chart.js";
import { button, chip, element, named, percent } from "./dom.js";

export class Curve {
  // `goTo(number)` for a click on the chart, `look(number)` for one on a turning point.
  constructor(goTo, look) {
    Object.assign(this, { goTo, look });
    this.place = element("div", { class: "curve" });
  }

  clear() {
    this.place.replaceChildren();
    this.wins = null;
  }

  // `found`: {last, points: [{number, seat, value}], chances: [[share of each seat], ...] of the first positions, turning: [{number, seat, before, after}]}
  show(found, seats, moves) {
    if (!found.points.length) return this.clear();
    const { chart } = (this.wins = new WinChart(found.chances, seats.map(({ name }) => name), this.goTo, { last: found.last }));
    for (const { number, seat } of found.turning) {
      chart.add("circle", { cx: chart.x(number), cy: chart.y(found.chances[number][seat]), r: 4.5, class: "swing" });
    }
    const turning = found.turning.map((swing) => element("li", {}, button([chip(swing.seat),
      ` ${percent(swing.before)} → ${percent(swing.after)}: decision ${swing.number + 1}, `,
      moves[swing.number] ? `${seats[moves[swing.number].seat].name}: ${named(moves[swing.number].alone, seats)}` : ""],
    () => this.look(swing.number), { class: "link" })));
    this.place.replaceChildren(this.wins.key, chart.svg,
      turning.length ? element("h3", {}, "Turning points") : "", element("ol", { class: "turning" }, turning));
  }

  mark(number) {
    this.wins?.mark(number);
  }
}
