// Who is asked what, and the answers that can be given without the board.
import { button, capital, chip, element, named } from "./dom.js";

const WAYS = {
  place: "Click a free post to place a piece there.",
  displace: "Click another player's piece to displace it.",
  move: "Click one of your own pieces to move it.",
  claim: "Click a route that you hold to claim it.",
  pawn: "Click a province to move the pawn there.",
};
// Too many to be buttons, and easy to find on the board.
const ON_BOARD = ["place", "pawn"];
const ORDER = ["claim", "office", "extra", "develop", "prestige", "displace", "move", "income", "exchange", "remove", "+3", "+4", "pawn",
  "ride", "city", "route", "done"];

export class Question {
  // `choose(choice)` as of the board; `hint(things)` shows where a decision is.
  constructor(choose, hint) {
    this.choose = choose;
    this.hint = hint;
    this.place = element("section", { class: "card question", "aria-live": "polite" });
  }

  // `state`: {view, seats, held, live, status, active, host, agents, act, agree, moves} as the game page has it.
  show(state) {
    const { view, seats, status } = state;
    this.place.classList.toggle("mine", state.active);
    const parts = view.over ? over(state) : [heading(state)];
    if (status.problem) parts.push(problem(state));
    if (status.take_back) parts.push(takingBack(state));
    if (state.active) parts.push(...this.answers(view, seats));
    this.place.replaceChildren(...parts);
  }

  // Nothing can be answered until the next `show`.
  wait() {
    this.place.classList.remove("mine");
    for (const answer of this.place.querySelectorAll("button")) answer.disabled = true;
  }

  answers(view, seats) {
    const single = view.choices.filter((choice) => choice.texts.length === 1);
    const verbs = new Set(single.map((choice) => verb(choice)));
    const staged = new Set(view.choices.filter((choice) => choice.texts.length > 1).map(verb));
    const atAct = view.asked === "act";
    const few = single.filter((choice) => !atAct || !ON_BOARD.includes(verb(choice))).sort((a, b) => rank(a) - rank(b));
    const ways = atAct ? Object.keys(WAYS).filter((name) => verbs.has(name) || staged.has(name)) : [];
    const parts = [];
    if (ways.length) parts.push(element("p", { class: "soft ways" }, ways.map((name) => WAYS[name]).join(" ")));
    const shown = few.length <= 24 ? few : few.filter((choice) => choice.things.includes("buttons"));
    parts.push(element("div", { class: "answers" }, shown.map((choice) => this.answer(choice, seats))));
    if (!atAct && shown.length < single.length) parts.push(element("p", { class: "soft ways" }, "Click it on the board, or choose in words:"));
    if (shown.length < single.length) {
      parts.push(element("details", { class: "every" }, element("summary", {}, `All ${single.length} decisions in words`),
        element("div", { class: "answers list" }, single.map((choice) => this.answer(choice, seats)))));
    }
    return parts;
  }

  answer(choice, seats) {
    return button(label(choice, seats), () => this.choose(choice), {
      "data-text": choice.texts.join(" > "), class: choice.texts[0] === "done" ? "answer done" : "answer",
      onpointerenter: () => this.hint(choice.things), onpointerleave: () => this.hint([]),
      onfocus: () => this.hint(choice.things), onblur: () => this.hint([]) });
  }
}

function verb(choice) {
  return choice.texts[0].split(" ")[0];
}

function rank(choice) {
  const found = ORDER.indexOf(verb(choice));
  return found < 0 ? ORDER.length - 2 : found;
}

function label(choice, seats) {
  return { displace: "Displace a piece …", move: "Move pieces …" }[choice.words] ?? capital(named(choice.words, seats));
}

function heading({ view, seats, held, live, status }) {
  const seat = seats[view.seat];
  const mine = held.includes(view.seat);
  const others = view.seat !== view.turn ? `, in the turn of ${seats[view.turn].name}` : "";
  const left = view.actions_left === 1 ? "1 action left" : `${view.actions_left} actions left`;
  let words = `${seat.name} decides${others}`;
  if (mine && live) words = held.length > 1 ? `${seat.name}: ${view.question}` : capital(view.question);
  else if (status.thinking === view.seat && live) words = `${seat.name} is thinking`;
  return element("div", { class: "ask" }, chip(view.seat),
    element("div", {}, element("h2", {}, words, status.thinking === view.seat && live && !mine ? element("i", { class: "dots" }) : null),
      element("p", { class: "soft" }, mine && live && held.length === 1 ? `Your turn to decide${others} · ${left}` : left)));
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
function takingBack({ seats, held, status, moves, agree }) {
  const { seat, stands, waits_for: waits } = status.take_back;
  const who = waits.map((number) => seats[number].name).join(" and ");
  const asked = waits.some((number) => held.includes(number));
  const no = asked ? "Let it stand" : held.includes(seat) ? "Never mind" : null;
  return element("div", { class: "problem taking-back", role: "alert" },
    element("p", {}, `${seats[seat].name} would take back “${named(moves[stands].words, seats)}”. What was hidden has been seen since, so ${who} `
      + `${waits.length > 1 ? "have" : "has"} to agree.`),
    element("div", { class: "row" }, asked ? button("Agree", () => agree(true)) : null, no ? button(no, () => agree(false)) : null));
}

function over({ view, seats }) {
  const winners = view.winners.map((seat) => seats[seat].name).join(" and ");
  const last = view.columns.length - 1;
  const best = view.columns.map((_, column) => Math.max(...view.scores.map((row) => row[column])));
  const order = view.scores.map((row, seat) => seat).sort((a, b) => view.scores[b][last] - view.scores[a][last]);
  return [
    element("div", { class: "ask" }, element("div", {}, element("h2", {}, `${winners} ${view.winners.length > 1 ? "win" : "wins"}`),
      element("p", { class: "soft" }, `The game is over: ${view.ending}.`))),
    element("table", { class: "final" },
      element("thead", {}, element("tr", {}, element("th", {}), order.map((seat) => element("th", {}, chip(seat), " ", seats[seat].name)))),
      element("tbody", {}, view.columns.map((column, c) => element("tr", { class: c === last ? "total" : "" },
        element("th", {}, column),
        order.map((seat) => element("td", { class: view.scores[seat][c] === best[c] && best[c] ? "best" : "" },
          String(view.scores[seat][c]))))))),
  ];
}
