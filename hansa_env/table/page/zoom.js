// A drawing that can be made larger and moved: by two fingers, by wheel with Ctrl, by buttons and keys.
import { button, element } from "./dom.js";

const MOST = 5, STEP = 1.6, DRAG = 6, ROOM = 20;

export class Zoom {
  // `holder` is what the drawing stands in; `attach` names the drawing whenever it is another; `changed` is called
  // when it is larger or smaller or has moved.
  constructor(holder) {
    this.holder = holder;
    this.scale = 1;
    this.x = this.y = 0;
    this.fingers = new Map();
    this.controls = element("div", { class: "zoom", role: "group", "aria-label": "Size of the map" },
      button("+", () => this.by(STEP), { "aria-label": "larger map (+)", title: "larger (+)" }),
      button("−", () => this.by(1 / STEP), { "aria-label": "smaller map (−)", title: "smaller (−)" }),
      button("Fit", () => this.fit(), { "aria-label": "the whole map (0)", title: "the whole map (0)" }));
    holder.addEventListener("pointerdown", (event) => this.down(event));
    holder.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) holder.addEventListener(name, (event) => this.up(event));
    holder.addEventListener("click", (event) => this.click(event), true);
    holder.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && this.reveal(event.target));
    holder.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  attach(svg) {
    this.svg = svg;
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    Object.assign(this, { width, height });
    this.apply();
  }

  apply() {
    this.scale = Math.min(MOST, Math.max(1, this.scale));
    const wide = this.width / this.scale, high = this.height / this.scale;
    this.x = Math.min(this.width - wide, Math.max(0, this.x));
    this.y = Math.min(this.height - high, Math.max(0, this.y));
    this.svg.setAttribute("viewBox", `${this.x} ${this.y} ${wide} ${high}`);
    this.holder.classList.toggle("zoomed", this.scale > 1);
    this.changed?.();
  }

  // Larger by a factor; the point of the screen stays where it is, by default the middle.
  by(factor, clientX, clientY) {
    const box = this.svg.getBoundingClientRect();
    const across = clientX === undefined ? 0.5 : (clientX - box.left) / box.width;
    const down = clientY === undefined ? 0.5 : (clientY - box.top) / box.height;
    const before = this.scale;
    this.scale = Math.min(MOST, Math.max(1, before * factor));
    this.x += across * this.width * (1 / before - 1 / this.scale);
    this.y += down * this.height * (1 / before - 1 / this.scale);
    this.apply();
  }

  fit() {
    this.scale = 1;
    this.apply();
  }

  pan(dx, dy) {
    const box = this.svg.getBoundingClientRect();
    this.x -= (dx / box.width) * (this.width / this.scale);
    this.y -= (dy / box.height) * (this.height / this.scale);
    this.apply();
  }

  // Moves the drawing so that a part of it is seen: keys reach what lies outside.
  reveal(part) {
    if (this.scale === 1) return;
    const frame = this.svg.getBoundingClientRect(), box = part.getBoundingClientRect();
    this.pan(inside(box.left, box.right, frame.left, frame.right), inside(box.top, box.bottom, frame.top, frame.bottom));
  }

  down(event) {
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size === 1) this.dragged = 0;
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before.x, dy = event.clientY - before.y;
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    if (others.length === 1) {
      const [other] = others;
      const was = Math.hypot(before.x - other.x, before.y - other.y), is = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      if (was > 0) this.by(is / was, (event.clientX + other.x) / 2, (event.clientY + other.y) / 2);
      this.dragged = DRAG;
    } else if (this.scale > 1) {
      this.dragged += Math.hypot(dx, dy);
      if (this.dragged >= DRAG) this.pan(dx, dy);
    }
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  up(event) {
    this.fingers.delete(event.pointerId);
  }

  // What ends a drag is no click on what lies below.
  click(event) {
    if (this.dragged < DRAG) return;
    this.dragged = 0;
    event.stopPropagation();
    event.preventDefault();
  }

  wheel(event) {
    if (!event.ctrlKey) return;  // without it the page scrolls
    event.preventDefault();
    this.by(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX, event.clientY);
  }

  key(key) {
    if (key === "+") this.by(STEP);
    else if (key === "-") this.by(1 / STEP);
    else if (key === "0") this.fit();
    else return false;
    return true;
  }
}

// How far something has to move to lie between two bounds, with room around it; in their middle where it is too large for that.
function inside(low, high, from, to) {
  if (high - low > to - from - 2 * ROOM) return (from + to - low - high) / 2;
  return Math.max(0, from + ROOM - low) + Math.min(0, to - ROOM - high);
}
