// The decisions of a game in words, turn by turn; a click goes there.
import { chip, element, joint, toldInARow, withThen } from "./dom.js";

export class Log {
  constructor(goTo) {
    this.goTo = goTo;
    this.place = element("div", { class: "log", tabindex: "0", role: "log", "aria-live": "off", "aria-label": "Decisions" });
    this.shown = [];
    this.lines = new Map();
    new ResizeObserver(() => this.reveal()).observe(this.place);
  }

  // Adds what is new, or begins anew where something was taken back.
  show(moves, seats) {
    const same = this.shown.every((move, n) => moves[n] === move) && this.seats === seats;
    if (!same) {
      this.place.replaceChildren();
      this.shown = [];
      this.lines.clear();
      this.turn = null;
    }
    this.seats = seats;
    for (const move of moves.slice(this.shown.length)) this.add(move);
  }

  add(move) {
    if (!this.turn || this.turn.number !== move.turn) {
      this.turn = { number: move.turn, who: move.active, place: element("p", { class: "turn" }, chip(move.active),
        element("b", {}, ` ${this.seats[move.active].name}: `)) };
      this.place.append(this.turn.place);
    }
    const parts = withThen(move);
    const words = toldInARow(parts, this.turn.who, this.seats).map((words, n) => `${n ? joint(parts[n]) : ""}${words}`);
    this.turn.who = parts.findLast((part) => !part.goes_on)?.seat ?? this.turn.who;
    const first = this.turn.place.querySelector("a") === null;
    const link = element("a", { href: "#", "data-number": move.number, title: `after decision ${move.number}`,
      onclick: (event) => { event.preventDefault(); this.goTo(move.number); } }, words.join(""));
    this.turn.place.append(first ? "" : joint(move), link);
    this.lines.set(move.number, link);
    this.shown.push(move);
  }

  // Marks the decision that led to what is shown.
  mark(number) {
    this.place.querySelector("a.now")?.classList.remove("now");
    const link = this.lines.get(number);
    if (!link) return;
    link.classList.add("now");
    this.reveal();
  }

  // Scrolls to the marked decision.
  reveal() {
    const link = this.place.querySelector("a.now");
    if (!link) return;
    const box = link.getBoundingClientRect(), frame = this.place.getBoundingClientRect();
    if (box.top < frame.top || box.bottom > frame.bottom) this.place.scrollTop += box.top - frame.top - frame.height / 2;
  }
}
