// Pieces that move, with a trail behind them, at a speed that one chooses.
import { element, shape } from "./dom.js";
import { endsOf, middle } from "./places.js";
import { remember, remembered } from "./storage.js";

const KEPT = "hansa motion";
const SPEEDS = { off: 0, fast: 250, normal: 600, slow: 1400 };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Motion {
  constructor(board) {
    this.board = board;
    this.picker = element("select", { id: "motion", "aria-label": "how fast pieces move", onchange: () => {
      this.chosen = this.picker.value;
      remember(KEPT, this.chosen);
      this.picker.blur();
    } }, Object.keys(SPEEDS).map((name) => element("option", { value: name, selected: name === this.speed }, name)));
  }

  get speed() {
    const kept = this.chosen ?? remembered(KEPT);
    return kept in SPEEDS ? kept : calm.matches ? "off" : "normal";
  }

  // Milliseconds that one move takes.
  get time() {
    return SPEEDS[this.speed];
  }

  // `trail`: {source, target, piece} as the view of a position has it. Resolves when the piece has come.
  async show(trail) {
    this.end?.();
    if (!trail || !this.time) return;
    const [from, to] = endsOf(this.board, trail);
    if (!from || !to) return;
    const [a, b] = [from, to].map((part) => middle(part.getBoundingClientRect()));
    const size = Math.max(12, Math.min(26, Math.min(b.width, b.height)));
    const ghost = element("div", { class: `flying seat${trail.piece[0]} ${trail.piece[1] === "m" ? "round" : ""}`, "aria-hidden": "true" }, trail.piece[0]);
    Object.assign(ghost.style, { width: `${size}px`, height: `${size}px`, fontSize: `${size * 0.6}px` });
    const line = drawn(a, b);
    document.body.append(line, ghost);
    const hidden = to.dataset.thing.startsWith("post") || to.dataset.thing.startsWith("office");
    if (hidden) to.style.opacity = "0";
    const at = ({ x, y }) => ({ transform: `translate(${x - size / 2}px, ${y - size / 2}px)` });
    const flight = ghost.animate([at(a), at(b)], { duration: this.time, easing: "ease-in-out", fill: "forwards" });
    this.end = () => {
      this.end = null;
      flight.cancel();
      ghost.remove();
      to.style.opacity = "";
      line.remove();
    };
    const own = this.end;
    await flight.finished.catch(() => null);
    if (this.end !== own) return;
    ghost.remove();
    to.style.opacity = "";
    const fading = line.animate([{ opacity: 1 }, { opacity: 0 }], { duration: this.time, fill: "forwards" });
    fading.finished.then(() => line.remove()).catch(() => null);
    this.end = null;
  }
}

function drawn(a, b) {
  return shape("svg", { class: "trail", "aria-hidden": "true" }, shape("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
}
