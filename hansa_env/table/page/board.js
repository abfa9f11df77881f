// The drawing on the page: put in place, clicked, and marked with what agents think.
import { button, capital, cost, element, isRepeated, named, percent, shape, wantedFirst } from "./dom.js";
import { playBy } from "./help.js";
import { middleIn } from "./places.js";
import { speak, speakOf } from "./spoken.js";
import { dress } from "./theme.js";
import { Zoom } from "./zoom.js";

// A finger means what lies within half of 44 pixels.
const REACH = 22;

export class Board {
  // `choose(choice)` is called with what was clicked.
  constructor(choose) {
    this.choose = choose;
    this.drawn = new Map();
    this.byThing = new Map();
    this.place = element("div", { class: "board" });
    this.desks = element("div", { class: "desks" });
    for (const place of [this.place, this.desks]) {
      place.addEventListener("click", (event) => this.clicked(event));
      place.addEventListener("keydown", (event) => this.key(event));
    }
    this.map = element("div", { class: "panel map", "data-name": "map" });
    this.zoom = new Zoom(this.map);
    this.place.append(this.map);
    this.menu = null;
    document.addEventListener("pointerdown", (event) => {
      if (this.menu && !this.menu.contains(event.target)) this.closeMenu();
    });
  }

  // Shows a position; `active` says whether its decisions can be clicked.
  show(view, seats, active) {
    if (view !== this.view || active !== this.active) this.closeMenu();  // other news leave it open
    Object.assign(this, { seats, view, active });
    playBy(view.rules);
    for (const name of this.drawn.keys()) if (!(name in view.panels)) this.drop(name);
    for (const [name, svg] of Object.entries(view.panels)) this.put(name, svg);
    this.offer(active ? view.choices : []);
  }

  put(name, svg) {
    const before = this.drawn.get(name);
    if (before?.svg === svg) return;
    const holder = before?.holder ?? (name === "map" ? this.map : element("div", { class: `panel ${name.split(" ")[0]}`, "data-name": name }));
    holder.innerHTML = svg;
    dress(holder.firstElementChild);
    for (const part of holder.querySelectorAll("text")) callByName(part, this.seats);
    speak(holder.firstElementChild, this.seats);
    if (name === "map") this.zoom.attach(holder.firstElementChild);
    else if (!before) (name === "track" ? this.place : this.desks).append(holder);
    this.drawn.set(name, { svg, holder });
  }

  drop(name) {
    this.drawn.get(name).holder.remove();
    this.drawn.delete(name);
  }

  // Marks what can be clicked.
  offer(choices) {
    for (const found of this.all(".can")) {
      found.classList.remove("can");
      for (const name of ["tabindex", "role", "aria-label"]) buttonOf(found).removeAttribute(name);
      speakOf(found, this.seats);
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
        const pressed = buttonOf(found);
        found.classList.add("can");
        pressed.setAttribute("role", "button");
        pressed.setAttribute("aria-label", label);
        // Posts of a route are alike: one of them is enough for the keyboard.
        pressed.setAttribute("tabindex", first.has(label) ? "-1" : "0");
        first.add(label);
      }
    }
  }

  all(selector) {
    return [this.place, this.desks].flatMap((place) => [...place.querySelectorAll(selector)]);
  }

  elements(things) {
    return things.flatMap((thing) => this.all(`[data-thing="${CSS.escape(thing)}"]`));
  }

  // What of things the keyboard reaches.
  buttons(things) {
    return this.elements(things).map(buttonOf).filter((part) => part.tabIndex >= 0);
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
    const offered = event.pointerType === "touch" ? this.offeredNear(event) : this.offeredBelow(event);
    if (offered.length > 1) this.openMenu(offered, event.clientX, event.clientY);
    else if (offered.length && !isRepeated(event)) this.choose(offered[0]);
  }

  // What is offered where the mouse is: a city that has grown may lie over a post.
  offeredBelow(event) {
    for (const part of [event.target, ...document.elementsFromPoint(event.clientX, event.clientY)]) {
      const found = this.offeredAt(part);
      if (found.length) return found;
    }
    return [];
  }

  // What is offered within reach of a finger, the nearest first.
  offeredNear(event) {
    const found = this.offeredAt(event.target);
    const near = this.all(".can").map((part) => ({ part, far: distance(part.getBoundingClientRect(), event.clientX, event.clientY) }));
    for (const { part } of near.filter(({ far }) => far <= REACH).sort((a, b) => a.far - b.far)) {
      if (part.dataset.thing.startsWith("route ")) continue;  // its box is not where it is
      for (const choice of this.byThing.get(part.dataset.thing) ?? []) if (!found.includes(choice)) found.push(choice);
    }
    return found;
  }

  key(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    if (event.target.getAttribute("role") !== "button" || !event.target.closest(".can")) return;
    event.preventDefault();
    if (isRepeated(event)) return;
    const box = event.target.getBoundingClientRect();
    const offered = this.offeredAt(event.target);
    if (offered.length === 1) this.choose(offered[0]);
    else if (offered.length) this.openMenu(offered, box.right, box.bottom);
  }

  openMenu(offered, x, y) {
    this.closeMenu();
    const items = wantedFirst(offered).map((choice) => button([capital(named(choice.words, this.seats)), cost(choice, this.seats)], (event) => {
      if (isRepeated(event)) return;
      this.closeMenu();
      this.choose(choice);
    }, { role: "menuitem" }));
    this.opener = document.activeElement;
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

  // The keyboard goes back to where it came from.
  closeMenu() {
    const inside = this.menu?.contains(document.activeElement);
    this.menu?.remove();
    this.menu = null;
    if (inside) this.opener.focus({ preventScroll: true });
  }

  // Scrolls to the map, where more of it is out of sight than in it.
  reveal() {
    const { top, bottom, height } = this.map.getBoundingClientRect();
    if (Math.min(bottom, innerHeight) - Math.max(top, 0) < height / 2) this.map.scrollIntoView({ block: "start" });
  }

  // Shows where a decision is, while it is looked at in a list.
  hint(things) {
    for (const found of this.all(".hint")) found.classList.remove("hint");
    for (const found of this.elements(things ?? [])) found.classList.add("hint");
  }

  // Marks things no longer that can still be clicked, but for some.
  fade(things, but) {
    for (const found of this.all(".rare")) found.classList.remove("rare");
    for (const found of this.elements(things.filter((thing) => !but.includes(thing)))) found.classList.add("rare");
  }

  // Points to things, until it points to others.
  point(things) {
    for (const found of this.all(".wanted")) found.classList.remove("wanted");
    for (const found of this.elements(things)) found.classList.add("wanted");
  }

  // Marks decisions with the share that an agent gives them: [{things, share, best}].
  heat(marks) {
    for (const old of this.all("g.heat")) old.remove();
    const labels = new Map();
    for (const { things, share, best } of marks) {
      const target = things[0] && this.elements([things[0]])[0];
      if (!target || share < 0.01) continue;
      const svg = target.ownerSVGElement;
      if (!labels.has(svg)) labels.set(svg, svg.appendChild(shape("g", { class: "heat" })));
      draw(labels.get(svg), svg, target, share, best);
    }
  }
}

// A desk without a name is drawn as "Seat 1"; on the page it has the name that all else tells.
function callByName(part, seats) {
  const seat = part.childElementCount ? null : part.textContent.match(/^Seat (\d)$/);
  if (seat && seats[seat[1]]) part.textContent = seats[seat[1]].name;
}

// What of a thing is the button: of a route or a city a shape of its own, as other buttons stand in it.
function buttonOf(part) {
  return part.querySelector(":scope > :is(.held, .plate, .green)") ?? part;
}

// From a point to a box; its middle counts where it is smaller than a finger.
function distance(box, x, y) {
  const dx = Math.max(box.left - x, 0, x - box.right), dy = Math.max(box.top - y, 0, y - box.bottom);
  return Math.hypot(dx, dy) + (dx || dy ? Math.min(box.width, box.height) / 2 : 0);
}

// A disc on the thing, larger and darker the larger the share, with the share beside it.
function draw(layer, svg, target, share, best) {
  const middle = middleIn(svg, target);
  const radius = svg.dataset.panel === "map" ? 9 + 20 * Math.sqrt(share) : 11;
  const taken = [...layer.querySelectorAll("circle")].filter((other) =>
    Math.hypot(other.cx.baseVal.value - middle.x, other.cy.baseVal.value - middle.y) < 6).length;
  const y = middle.y + 17 * taken;
  layer.append(shape("circle", { cx: middle.x, cy: y, r: radius, class: best ? "best" : "", "fill-opacity": 0.25 + 0.5 * share }));
  layer.append(shape("text", { x: middle.x, y: y + 4.5, "text-anchor": "middle", "font-size": 13 }, percent(share)));
}
