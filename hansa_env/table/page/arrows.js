// What an agent suggests and expects, as arrows on the drawing: numbered, from where pieces go to where.
import { capital, named, shape } from "./dom.js";
import { endsOf, middleIn, partOf, scaleOf } from "./places.js";

// Units of a badge's half width, and pixels that it has at least: a map on a phone has few pixels for its units.
const HALF = 12, LEAST_PIXELS = 8;
// Where a badge may stand beside what it is for, in the order of preference: parts of a turn, clockwise from the right.
const DIRECTIONS = [0.625, 0.875, 0.375, 0.125, 0.75, 0.25, 0.5, 0];

export class Arrows {
  constructor(board) {
    this.board = board;
    this.shown = null;
    board.zoom.changed = () => this.draw();
    addEventListener("resize", () => this.draw());
  }

  // `steps`: [{seat, words, things, mark, trail}] as the server has them; those that are only expected come last, from the
  // number `expected` on. `label` says what they are.
  show(label, steps, expected = steps.length) {
    this.shown = { label, steps, expected };
    this.draw();
  }

  clear() {
    this.shown = null;
    this.draw();
  }

  draw() {
    for (const old of this.board.all("g.arrows")) old.remove();
    if (!this.shown) return;
    const { label, steps, expected } = this.shown;
    const layers = new Map();
    let number = 0;
    steps.forEach((step, n) => {
      const ends = this.ends(step);
      if (!ends) return;
      number += 1;
      for (const [svg, from, to] of ends) {
        if (!layers.has(svg)) layers.set(svg, new Layer(svg, label));
        layers.get(svg).add({ from, to, number, seat: step.seat, piece: step.trail?.piece, later: n >= expected,
          words: `${number}: ${capital(named(step.words, this.board.seats))}` });
      }
    });
  }

  // In which drawing a step goes from where to where; one of both is null where only the other is in that drawing.
  ends(step) {
    if (step.trail) {
      const [from, to] = endsOf(this.board, step.trail);
      if (from && to && from.ownerSVGElement === to.ownerSVGElement) return [[from.ownerSVGElement, from, to]];
      const part = [to, from].find((one) => one && this.board.map.contains(one)) ?? to ?? from;
      return part && [[part.ownerSVGElement, part === from ? from : null, part === to ? to : null]];
    }
    const part = step.mark && partOf(this.board, step.things[0]);
    return part ? [[part.ownerSVGElement, null, part]] : null;
  }
}

// The arrows of one drawing.
class Layer {
  constructor(svg, label) {
    this.svg = svg;
    this.half = Math.max(svg.dataset.panel === "map" ? HALF : 0.8 * HALF, LEAST_PIXELS / scaleOf(svg));
    this.badges = [];
    this.lines = shape("g", {});
    this.numbers = shape("g", { "aria-hidden": "true" });  // above all lines
    svg.append(shape("g", { class: "arrows", role: "group", "aria-label": label }, this.lines, this.numbers));
    const { x, y, width, height } = svg.viewBox.baseVal;
    this.edge = { left: x, top: y, right: x + width, bottom: y + height };
  }

  add({ from, to, number, seat, piece, later, words }) {
    const { half } = this, there = (to ?? from) && middleIn(this.svg, to ?? from);
    const beside = from && to ? middleIn(this.svg, from) : this.beside(there);
    const [tail, head] = to ? [beside, there] : [there, beside];
    const at = this.free(tail), kind = piece?.[1] === "m" ? "round" : piece ? "square" : "none";
    const reach = to ? Math.min(there.width, there.height, 2.4 * half) / 2 : 0;
    const owner = `owner${piece?.[0] ?? seat}`;
    this.lines.append(shape("g", { class: `arrow ${owner}${later ? " later" : ""}`, role: "img", "aria-label": words }, ...this.line(at, head, reach)));
    this.numbers.append(shape("g", { class: owner }, ...badge(at, half, kind),
      shape("text", { x: at.x, y: at.y + 0.38 * half, "font-size": 1.15 * half, "text-anchor": "middle" }, String(number))));
  }

  // A place beside another for a badge: in the drawing, and apart from other badges.
  beside({ x, y, width, height }) {
    const far = 2.3 * this.half + Math.min(width, height, 3 * this.half) / 2;
    const places = DIRECTIONS.map((turn) => ({ x: x + far * Math.cos(2 * Math.PI * turn), y: y + far * Math.sin(2 * Math.PI * turn) }));
    return places.find((place) => this.isInside(place) && !this.isTaken(place)) ?? places.find((place) => this.isInside(place)) ?? places[0];
  }

  // The same place, or next to badges that stand there.
  free({ x, y }) {
    while (this.isTaken({ x, y })) x += 1.5 * this.half;
    this.badges.push({ x, y });
    return { x, y };
  }

  isTaken({ x, y }) {
    return this.badges.some((other) => Math.hypot(other.x - x, other.y - y) < 1.5 * this.half);
  }

  isInside({ x, y }) {
    const { left, top, right, bottom } = this.edge, { half } = this;
    return x > left + half && x < right - half && y > top + half && y < bottom - half;
  }

  // A bent line with a point at its end, `reach` before the middle of what it goes to; twice, as it has an edge.
  line(a, b, reach) {
    const { half } = this, long = Math.hypot(b.x - a.x, b.y - a.y), bend = Math.min(0.14 * long, 4 * half);
    if (long < reach + 1.2 * half) return [];
    const control = { x: (a.x + b.x) / 2 + (bend * (a.y - b.y)) / long, y: (a.y + b.y) / 2 + (bend * (b.x - a.x)) / long };
    const away = Math.hypot(b.x - control.x, b.y - control.y), unit = { x: (b.x - control.x) / away, y: (b.y - control.y) / away };
    const tip = { x: b.x - reach * unit.x, y: b.y - reach * unit.y }, size = 0.95 * half;
    const neck = { x: tip.x - size * unit.x, y: tip.y - size * unit.y };
    const side = { x: -0.6 * size * unit.y, y: 0.6 * size * unit.x };
    const shaft = `M${a.x} ${a.y}Q${control.x} ${control.y} ${neck.x} ${neck.y}`;
    const point = `M${tip.x} ${tip.y}L${neck.x + side.x} ${neck.y + side.y}L${neck.x - side.x} ${neck.y - side.y}Z`;
    return [shape("path", { d: shaft, class: "edge", "stroke-width": 0.62 * half }), shape("path", { d: point, class: "edge point", "stroke-width": 0.26 * half }),
      shape("path", { d: shaft, class: "shaft", "stroke-width": 0.36 * half }), shape("path", { d: point, class: "tip" })];
  }
}

// A badge has the shape of the piece that goes: a trader is a square, a merchant round; a diamond where none goes. It has an edge.
function badge({ x, y }, half, kind) {
  return [["edge", half], ["badge", 0.86 * half]].map(([name, size]) => {
    if (kind === "round") return shape("circle", { cx: x, cy: y, r: size, class: name });
    const side = kind === "none" ? 0.88 * size : 0.94 * size, turned = kind === "none" ? { transform: `rotate(45 ${x} ${y})` } : {};
    return shape("rect", { x: x - side, y: y - side, width: 2 * side, height: 2 * side, rx: 0.3 * half, class: name, ...turned });
  });
}
