// Who is asked what and why, and the answers that can be given without the board.
import { asSheet, button, capital, chip, cost, element, isRepeated, named, numberOf, wantedFirst, within } from "./dom.js";
import { outcome, points } from "./result.js";

export class Question {
  // `choose(choice)` as of the board; `hint(things)` shows where a decision is; `cancel()` calls off the action under way.
  constructor(choose, hint, cancel) {
    this.choose = choose;
    this.hint = hint;
    this.cancel = cancel;
    this.told = element("div", { "aria-live": "polite" });
    this.rest = element("div", { class: "rest" });
    this.fold = button("", () => this.folded(!this.place.classList.contains("folded")), { class: "fold quiet", "aria-expanded": "true",
      "aria-label": "the question, open or folded" });
    this.place = element("section", { class: "card question", "aria-label": "The question" }, this.fold, this.told, this.rest);
    asSheet(this.place);
  }

  folded(wanted) {
    this.place.classList.toggle("folded", wanted);
    this.fold.setAttribute("aria-expanded", String(!wanted));
  }

  // `state`: {view, seats, held, live, status, active, host, agents, act, agree, moves} as the game page has it.
  show(state) {
    const { view, seats, status } = state;
    const focused = this.place.contains(document.activeElement);
    this.place.classList.toggle("mine", state.active);
    if (this.last !== view.number) {
      if (state.active) this.folded(false);
      this.place.scrollTop = 0;
    }
    this.last = view.number;
    const told = view.over ? outcome(state) : heading(state);
    if (this.said !== told.textContent) this.told.replaceChildren(told);  // said once
    this.said = told.textContent;
    const key = status.problem || status.take_back ? null : view;
    if (key && key === this.drawn?.view && state.active === this.drawn.active) {  // what is open or has the keyboard stays so
      if (focused && !this.place.contains(document.activeElement)) this.focus();  // it was on the heading that went
      return;
    }
    this.drawn = { view: key, active: state.active };
    this.hint([]);  // what pointed somewhere is about to go
    const parts = view.over ? [points(view, seats)] : [];
    if (status.problem) parts.push(problem(state));
    if (status.take_back) parts.push(takingBack(state));
    if (state.active) parts.push(...this.answers(view, seats));
    this.rest.replaceChildren(...parts);
    if (focused) this.focus();
  }

  // What is said after an answer, in the place of the question, until the next `show`.
  conclude(told, parts) {
    this.said = this.drawn = null;
    this.told.replaceChildren(told);
    this.rest.replaceChildren(...parts);
    this.folded(false);
  }

  focus() {
    goToQuestion(this.place);
  }

  // Points to answers, as the board does to their places.
  point(choices) {
    const texts = choices.map((choice) => choice.texts.join(" > "));
    for (const answer of this.rest.querySelectorAll(".answer")) answer.classList.toggle("wanted", texts.includes(answer.dataset.text));
  }

  // Nothing can be answered until the next `show`.
  wait() {
    this.drawn = null;
    this.place.classList.remove("mine");
    for (const answer of this.rest.querySelectorAll("button")) answer.setAttribute("aria-disabled", "true");
  }

  answers(view, seats) {
    const single = wantedFirst(view.choices.filter((choice) => choice.texts.length === 1));
    const verbs = new Set(single.map((choice) => choice.texts[0].split(" ")[0]));
    const few = single.filter((choice) => choice.rank !== null).sort((a, b) => a.rank - b.rank);
    const parts = [];
    if (verbs.has("income") && !verbs.has("place")) {
      parts.push(element("p", { class: "ways" }, view.no_supply ? "Your supply is empty. Take income to fill it from your stock."
        : "There is no post on which you may place a piece."));
    }
    if (view.ways.length) parts.push(element("p", { class: "soft ways" }, `Click ${listed(view.ways)}.`));
    const shown = few.length <= 24 ? few : few.filter((choice) => choice.things.includes("buttons"));
    parts.push(element("div", { class: "answers" }, shown.map((choice) => this.answer(choice, seats)),
      view.begun === null ? null : button("Cancel", () => this.cancel(view.begun), { class: "answer cancel", id: "cancel",
        title: "nothing of this action is decided yet: begin it anew" })));
    if (!view.ways.length && shown.length < single.length) parts.push(element("p", { class: "soft ways" }, "Click it on the board, or choose in words:"));
    if (shown.length < single.length) {
      parts.push(element("details", { class: "every" }, element("summary", {}, `All ${single.length} decisions in words`),
        element("div", { class: "answers list" }, single.map((choice) => this.answer(choice, seats)))));
    }
    return parts;
  }

  answer(choice, seats) {
    const act = (event) => event.currentTarget.getAttribute("aria-disabled") || isRepeated(event) ? null : this.choose(choice);
    return button([capital(named(choice.label, seats)), cost(choice, seats)], act, {
      "data-text": choice.texts.join(" > "), class: choice.texts[0] === "done" ? "answer done" : "answer",
      onpointerenter: () => this.hint(choice.things), onpointerleave: () => this.hint([]),
      onfocus: (event) => event.target.matches(":focus-visible") && this.hint(choice.things), onblur: () => this.hint([]) });
  }
}

// Where the keyboard goes on: the first answer, or what is said where there is none.
export function goToQuestion(place = document.querySelector(".question")) {
  (place?.querySelector(".rest button:not(:disabled)") ?? place?.querySelector("h2"))?.focus({ preventScroll: true });
}

function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")}, or ${parts.at(-1)}`;
}

function heading({ view, seats, held, live, status }) {
  const seat = seats[view.seat];
  const mine = held.includes(view.seat), told = mine && live;
  let words = `${seat.name} ${seat.name === "You" ? "decide" : "decides"}`;
  if (told) words = held.length > 1 ? `${seat.name}: ${view.question}` : capital(view.question);
  else if (status.thinking === view.seat && live) words = `${seat.name} is thinking`;
  const story = (told ? view.story : []).map((line) => named(capital(line), seats));
  return element("div", { class: "ask" }, chip(view.seat),
    element("div", {}, element("h2", { tabindex: "-1" }, words, status.thinking === view.seat && live && !mine ? element("i", { class: "dots" }) : null),
      story.length ? element("p", { class: "story" }, story.join(" ")) : null,
      element("p", { class: "soft turn-left" }, actionsLeft(view, seats, told))));
}

// Whose actions are left, as a row of dots and in words.
function actionsLeft(view, seats, told) {
  if (view.actions_left === null) return [];
  const whose = seats[view.turn].name, own = view.seat === view.turn && told;
  const who = whose === "You" || own ? "Your turn" : `The turn of ${whose}`;
  const count = view.actions_left === 0 ? "no action" : numberOf(view.actions_left, "action");
  const left = `${count} left${view.asked === "act" ? "" : " after this one"}`;
  return [element("span", { class: "pips", "aria-hidden": "true" }, "●".repeat(Math.min(view.actions_left, 12))), ` ${who}: ${left}`];
}

function problem({ seats, status, host, agents, act }) {
  const seat = seats[status.seat];
  const choice = element("select", { "aria-label": "Another agent" }, agents.map((name) => element("option", { value: name }, name)));
  return element("div", { class: "problem", role: "alert" }, element("p", {}, `${seat.name} has stopped: ${status.problem}`),
    host ? element("div", { class: "row" },
      button("Try again", () => act({ type: "again" })),
      choice, button("Let this one go on", () => act({ type: "replace", seat: status.seat, agent: choice.value }))) : null);
}

// Somebody wants to go back to before something hidden was seen; everybody hears of it, who is asked says yes or no.
function takingBack({ seats, held, host, status, moves, agree }) {
  const { seat, stands, waits_for: waits } = status.take_back;
  const who = waits.map((number) => within(seats[number])).join(" and ");
  const asked = waits.some((number) => held.includes(number));
  const no = asked || (host && !held.includes(seat)) ? "Let it stand" : held.includes(seat) ? "Never mind" : null;
  return element("div", { class: "problem taking-back", role: "alert" },
    element("p", {}, `${seats[seat].name} wants to take back “${named(moves[stands].alone, seats)}”. What was hidden has been seen since, so ${who} `
      + `${waits.length > 1 || who === "you" ? "have" : "has"} to agree.`),
    element("div", { class: "row" }, asked ? button("Agree", () => agree(true)) : null, no ? button(no, () => agree(false)) : null));
}
