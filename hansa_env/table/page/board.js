// The drawing on the page: put in place, clicked, and marked with what agents think.
import { button, capital, element, named, percent } from "./dom.js";
import { dress } from "./theme.js";

const SVG = "http://www.w3.org/2000/svg";

export class Board {
  // `choose(choice)` is called with what was clicked.
  constructor(choose) {
    this.choose = choose;
    this.drawn = new Map();
    this.byThing = new Map();
    this.place = element("div", { class: "board" });
    this.place.addEventListener("click", (event) => this.clicked(event));
    this.place.addEventListener("keydown", (event) => this.key(event));
    this.menu = null;
    document.addEventListener("pointerdown", (event) => {
      if (this.menu && !this.menu.contains(event.target)) this.closeMenu();
    });
  }

  // Shows a position; `active` says whether its decisions can be clicked.
  show(view, seats, active) {
    this.closeMenu();
    this.seats = seats;
    for (const name of this.drawn.keys()) if (!(name in view.panels)) this.drop(name);
    for (const [name, svg] of Object.entries(view.panels)) this.put(name, svg);
    this.offer(active ? view.choices : []);
  }

  put(name, svg) {
    const before = this.drawn.get(name);
    if (before?.svg === svg) return;
    const holder = before?.holder ?? element("div", { class: `panel ${name.split(" ")[0]}`, "data-name": name });
    holder.innerHTML = svg;
    dress(holder.firstElementChild);
    if (!before) this.place.append(holder);
    this.drawn.set(name, { svg, holder });
  }

  drop(name) {
    this.drawn.get(name).holder.remove();
    this.drawn.delete(name);
  }

  // Marks what can be clicked.
  offer(choices) {
    for (const found of this.place.querySelectorAll(".can")) {
      found.classList.remove("can");
      for (const name of ["tabindex", "role", "aria-label"]) found.removeAttribute(name);
    }
    this.byThing = new Map();
    for (const choice of choices) {
      for (const thing of choice.things) {
        if (thing === "buttons") continue;
        if (!this.byThing.has(thing)) this.byThing.set(thing, []);
        this.byThing.get(thing).push(choice);
      }
    }
    const first = new Set();
    for (const [thing, offered] of this.byThing) {
      const label = offered.map((choice) => capital(named(choice.words, this.seats))).join(", or ");
      for (const found of this.elements([thing])) {
        found.classList.add("can");
        found.setAttribute("role", "button");
        found.setAttribute("aria-label", label);
        // Posts of a route are alike: one of them is enough for the keyboard.
        found.setAttribute("tabindex", first.has(label) ? "-1" : "0");
        first.add(label);
      }
    }
  }

  elements(things) {
    return things.flatMap((thing) => [...this.place.querySelectorAll(`[data-thing="${CSS.escape(thing)}"]`)]);
  }

  // What is offered at an element and at what it is part of.
  offeredAt(target) {
    const found = [];
    for (let part = target.closest("[data-thing]"); part; part = part.parentElement?.closest("[data-thing]")) {
      for (const choice of this.byThing.get(part.dataset.thing) ?? []) if (!found.includes(choice)) found.push(choice);
    }
    return found;
  }

  clicked(event) {
    const offered = this.offeredAt(event.target);
    if (offered.length === 1) this.choose(offered[0]);
    else if (offered.length) this.openMenu(offered, event.clientX, event.clientY);
  }

  key(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    if (!event.target.classList?.contains("can")) return;
    event.preventDefault();
    const box = event.target.getBoundingClientRect();
    const offered = this.offeredAt(event.target);
    if (offered.length === 1) this.choose(offered[0]);
    else if (offered.length) this.openMenu(offered, box.right, box.bottom);
  }

  openMenu(offered, x, y) {
    this.closeMenu();
    const items = offered.map((choice) => button(capital(named(choice.words, this.seats)), () => {
      this.closeMenu();
      this.choose(choice);
    }, { role: "menuitem" }));
    this.menu = element("div", { class: "menu", role: "menu" }, items);
    document.body.append(this.menu);
    const box = this.menu.getBoundingClientRect();
    this.menu.style.left = `${Math.max(8, Math.min(x, innerWidth - box.width - 8))}px`;
    this.menu.style.top = `${Math.max(8, Math.min(y + 8, innerHeight - box.height - 8))}px`;
    this.menu.addEventListener("keydown", (event) => {
      const at = items.indexOf(document.activeElement);
      if (event.key === "Escape") this.closeMenu();
      if (event.key === "ArrowDown") items[(at + 1) % items.length].focus();
      if (event.key === "ArrowUp") items[(at + items.length - 1) % items.length].focus();
    });
    items[0].focus();
  }

  closeMenu() {
    this.menu?.remove();
    this.menu = null;
  }

  // Shows where a decision is, while it is looked at in a list.
  hint(things) {
    for (const found of this.place.querySelectorAll(".hint")) found.classList.remove("hint");
    for (const found of this.elements(things ?? [])) found.classList.add("hint");
  }

  // Marks decisions with the share that an agent gives them: [{things, share, best}].
  heat(marks) {
    for (const old of this.place.querySelectorAll("g.heat")) old.remove();
    const labels = new Map();
    for (const { things, share, best } of marks) {
      const target = things[0] && this.elements([things[0]])[0];
      if (!target || share < 0.01) continue;
      const svg = target.ownerSVGElement;
      if (!labels.has(svg)) labels.set(svg, svg.appendChild(group()));
      draw(labels.get(svg), svg, target, share, best);
    }
  }
}

function group() {
  const made = document.createElementNS(SVG, "g");
  made.setAttribute("class", "heat");
  return made;
}

function shape(name, values, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// A disc on the thing, larger and darker the larger the share, with the share beside it.
function draw(layer, svg, target, share, best) {
  const box = target.getBoundingClientRect();
  const toSvg = svg.getScreenCTM().inverse();
  const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(toSvg);
  const radius = svg.dataset.panel === "map" ? 9 + 20 * Math.sqrt(share) : 11;
  const taken = [...layer.querySelectorAll("circle")].filter((other) =>
    Math.hypot(other.cx.baseVal.value - middle.x, other.cy.baseVal.value - middle.y) < 6).length;
  const y = middle.y + 17 * taken;
  layer.append(shape("circle", { cx: middle.x, cy: y, r: radius, class: best ? "best" : "", "fill-opacity": 0.25 + 0.5 * share }));
  layer.append(shape("text", { x: middle.x, y: y + 4.5, "text-anchor": "middle", "font-size": 13 }, percent(share)));
}
