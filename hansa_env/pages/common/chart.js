// Charts over a game: a click goes to the decision there, and a line marks the one that is looked at.
import { chip, element, shape } from "./elements.js";
import { percent, wholePercents } from "./shares.js";

const LEFT = 36, RIGHT = 8, BOTTOM = 18, TOP = 8;

export class Chart {
  // `last`: how many decisions; values go from 0 to `most`, which is told in so many `parts` by `told(value)`; `words` names it.
  constructor({ last, most, parts, told, words, goTo, width = 360, height = 150 }) {
    Object.assign(this, { last: Math.max(last, 1), most, width, height });
    this.svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": words });
    for (let part = 0; part <= parts; part++) {
      const value = (most * part) / parts;
      this.svg.append(shape("line", { x1: LEFT, x2: width - RIGHT, y1: this.y(value), y2: this.y(value), class: "grid" }),
        shape("text", { x: LEFT - 5, y: this.y(value) + 4, class: "label end" }, told(value)));
    }
    for (const number of [0, Math.round(this.last / 2), this.last]) {
      this.svg.append(shape("text", { x: this.x(number), y: height - 3, class: "label mid" }, String(number)));
    }
    this.cursor = this.svg.appendChild(shape("line", { y1: TOP, y2: height - BOTTOM, class: "cursor" }));
    this.mark(0);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * width;
      goTo(Math.round(((x - LEFT) / (width - LEFT - RIGHT)) * this.last));
    });
  }

  x(number) {
    return LEFT + ((this.width - LEFT - RIGHT) * number) / this.last;
  }

  y(value) {
    return TOP + (this.height - TOP - BOTTOM) * (1 - value / this.most);
  }

  // The places of values by the number of decisions.
  points(values) {
    return values.map((value, number) => `${this.x(number).toFixed(1)},${this.y(value).toFixed(1)}`);
  }

  add(name, values, ...children) {
    this.cursor.before(shape(name, values, ...children));
  }

  mark(number) {
    this.cursor.setAttribute("x1", this.x(number));
    this.cursor.setAttribute("x2", this.x(number));
  }
}

// The share of the win of every seat over a game, with those of the decision that is looked at beside the names.
export class WinChart {
  // `chances`: [[share of each seat], ...] by the number of decisions; `names` by seat; `size` as of a chart.
  constructor(chances, names, goTo, size = {}) {
    this.chances = chances;
    this.chart = new Chart({ last: chances.length - 1, most: 1, parts: 4, told: percent, words: "share of the win over the game", goTo, ...size });
    names.forEach((_, seat) => this.chart.add("polyline", {
      points: this.chart.points(chances.map((shares) => shares[seat])).join(" "), class: `line line${seat}` }));
    this.shares = names.map(() => element("b"));
    this.key = element("p", { class: "key" }, names.map((name, seat) => element("span", {}, chip(seat), ` ${name} `, this.shares[seat])));
    this.mark(0);
  }

  mark(number) {
    const said = this.chances[number] && wholePercents(this.chances[number]);
    this.shares.forEach((shown, seat) => { shown.textContent = said?.[seat] ?? "–"; });
    this.chart.mark(number);
  }
}
