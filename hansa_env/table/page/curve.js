// The share of the win that an agent gives each seat over a game, all together 1, with the biggest swings marked.
import { chip, element, named, percent, shape, wholePercents } from "./dom.js";

const WIDTH = 360, HEIGHT = 150, LEFT = 34, BOTTOM = 18, TOP = 8;

export class Curve {
  constructor(goTo) {
    this.goTo = goTo;
    this.place = element("div", { class: "curve" });
  }

  clear() {
    this.place.replaceChildren();
    this.cursor = null;
  }

  // `found`: {last, points: [{number, seat, value}], chances: [[share of each seat], ...], turning: [{number, seat, before, after}]}
  show(found, seats, moves) {
    if (!found.points.length) return this.clear();
    this.last = Math.max(found.last, 1);
    const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "share of the win over the game" });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      svg.append(shape("line", { x1: LEFT, x2: WIDTH - 6, y1: this.y(share), y2: this.y(share), class: "grid" }));
      svg.append(shape("text", { x: LEFT - 5, y: this.y(share) + 4, class: "label end" }, `${100 * share} %`));
    }
    for (const number of [0, Math.round(this.last / 2), this.last]) {
      svg.append(shape("text", { x: this.x(number), y: HEIGHT - 3, class: "label mid" }, String(number)));
    }
    seats.forEach((_, seat) => {
      const path = found.chances.map((shares, n) => `${n ? "L" : "M"}${this.x(n).toFixed(1)} ${this.y(shares[seat]).toFixed(1)}`).join("");
      svg.append(shape("path", { d: path, class: `line line${seat}` }));
    });
    for (const swing of found.turning) {
      svg.append(shape("circle", { cx: this.x(swing.number), cy: this.y(found.chances[swing.number][swing.seat]), r: 4.5, class: "swing" }));
    }
    this.cursor = svg.appendChild(shape("line", { x1: LEFT, x2: LEFT, y1: TOP, y2: HEIGHT - BOTTOM, class: "cursor" }));
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      this.goTo(Math.round(((x - LEFT) / (WIDTH - LEFT - 8)) * this.last));
    });
    const turning = found.turning.map((swing) => element("li", {}, element("button", { type: "button", class: "link",
      onclick: () => this.goTo(swing.number) }, chip(swing.seat),
      ` ${percent(swing.before)} → ${percent(swing.after)}: decision ${swing.number + 1}, `,
      moves[swing.number] ? `${seats[moves[swing.number].seat].name}: ${named(moves[swing.number].words, seats)}` : "")));
    this.chances = found.chances;
    this.shares = seats.map(() => element("b", {}));
    this.place.replaceChildren(
      element("p", { class: "key" }, seats.map((seat, n) => element("span", {}, chip(n), ` ${seat.name} `, this.shares[n]))), svg,
      turning.length ? element("h3", {}, "Turning points") : "", element("ol", { class: "turning" }, turning));
  }

  x(number) {
    return LEFT + ((WIDTH - LEFT - 8) * number) / this.last;
  }

  y(share) {
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  }

  mark(number) {
    if (!this.cursor) return;
    const said = wholePercents(this.chances[Math.min(number, this.chances.length - 1)]);
    this.shares.forEach((shown, seat) => { shown.textContent = said[seat]; });
    this.cursor.setAttribute("x1", this.x(number));
    this.cursor.setAttribute("x2", this.x(number));
  }
}
