// Puzzles: a position, your decision on the board, and whether it is the best one that is known.
import { Board } from "./board.js";
import { attempt, button, capital, chip, element, goToNew, isForPage, named, request } from "./dom.js";
import { Question } from "./question.js";
import { Standing } from "./standing.js";

const ANY = "any";

class PuzzlePage {
  constructor(main) {
    this.board = new Board((choice) => this.answer(choice.texts[0]));
    this.question = new Question((choice) => this.answer(choice.texts[0]), (things) => this.board.hint(things), () => {});
    this.standing = new Standing();
    this.standing.place.append(this.board.zoom.controls);
    this.kind = select("kind", "Kind", [ANY]);
    this.players = select("puzzle-players", "Players", [ANY]);
    for (const field of [this.kind, this.players]) field.addEventListener("change", () => this.next());
    this.tally = element("p", { class: "tally", id: "tally", role: "status" });
    this.about = element("p", { class: "soft", id: "about" });
    this.bar = element("section", { class: "card puzzle-bar", "aria-label": "Which puzzles" },
      element("div", { class: "row" }, element("h1", {}, "Puzzles"), labelled("Kind", this.kind), labelled("Players", this.players)), this.tally, this.about);
    this.place = element("div", { class: "left" }, this.bar, this.standing.place, this.board.place);
    main.className = "game";
    main.replaceChildren(this.place, element("aside", { class: "right", "aria-label": "Question and seats" }, this.question.place, this.board.desks));
    document.title = "Puzzles · Hansa Teutonica";
    document.addEventListener("keydown", (event) => this.key(event));
    this.begin();
  }

  async begin() {
    this.tally.textContent = "The puzzles are being read …";
    const found = await attempt(() => request("/api/puzzles"));
    if (!found) {
      this.tally.textContent = "There are no puzzles here.";
      return;
    }
    offer(this.kind, [ANY, ...new Set(found.counts.map(({ kind }) => kind))]);
    offer(this.players, [ANY, ...[...new Set(found.counts.map(({ players }) => players))].sort()]);
    this.counts = found.counts;
    const named = new URLSearchParams(location.search).get("puzzle");
    const puzzle = named && await attempt(() => request(`/api/puzzles/${encodeURIComponent(named)}`));
    if (puzzle) this.show(puzzle);
    else this.next();
  }

  async next() {
    const asked = new URLSearchParams();
    if (this.kind.value !== ANY) asked.set("kind", this.kind.value);
    if (this.players.value !== ANY) asked.set("players", this.players.value);
    if (this.puzzle) asked.set("but", this.puzzle.name);
    this.about.textContent = "The next puzzle is on its way …";
    const [newest, puzzle] = await this.ask(() => request(`/api/puzzles/next?${asked}`));
    if (!newest) return;
    if (puzzle || !this.answered) this.show(puzzle ?? this.puzzle);
    else this.conclude(this.answered);  // one that has been answered is not asked again
  }

  // Nothing can be clicked until what was asked for is there; of two choices made quickly the later one counts.
  async ask(action) {
    const turn = this.turn = (this.turn ?? 0) + 1;
    this.waiting = true;
    this.board.offer([]);
    this.question.wait();
    const found = await attempt(action);
    if (turn === this.turn) this.waiting = false;
    return [turn === this.turn, found];
  }

  show(puzzle) {
    this.count();
    if (!puzzle) {
      this.about.textContent = "There is no such puzzle.";
      return;
    }
    this.puzzle = puzzle;
    this.answered = null;
    this.seats = puzzle.seats.map((name, seat) => ({ seat, name }));
    const before = { true: " · solved before", false: " · not solved last time" }[puzzle.before] ?? "";
    this.asks = `${capital(puzzle.kind)} · ${puzzle.ruleset}${before}. Which decision is best for you?`;
    this.about.textContent = this.asks;
    history.replaceState(null, "", `/puzzles?puzzle=${puzzle.name}`);
    document.body.dataset.puzzle = puzzle.name;
    delete document.body.dataset.verdict;
    this.board.desks.dataset.players = this.seats.length;
    this.board.point([]);
    this.draw(true);
    this.question.rest.append(element("div", { class: "row" }, button("Show me the answer", () => this.answer(null), { class: "small", id: "give-up" }),
      button("Another one", () => this.next(), { class: "small quiet", id: "another" })));
  }

  draw(active) {
    const { view } = this.puzzle, { seats } = this;
    this.standing.show(view, seats);
    this.board.show(view, seats, active);
    this.question.show({ view, seats, held: [view.seat], live: true, status: {}, active, host: false, agents: [], moves: [], act: () => {}, agree: () => {} });
  }

  // Where several decisions go into one click, the first is the one that the puzzle asks for.
  async answer(text) {
    if (this.waiting) return;
    const [newest, found] = await this.ask(() => request(`/api/puzzles/${this.puzzle.name}/answers`, { body: { text } }));
    if (found) this.counts = found.counts;
    if (!newest) return;
    if (!found) return this.show(this.puzzle);
    return this.conclude(found);
  }

  conclude(found) {
    this.answered = found;
    this.about.textContent = this.asks;
    this.count();
    this.draw(false);
    this.board.point(found.answers.flatMap(({ things }) => things));
    this.question.conclude(...this.verdict(found));
    document.body.dataset.verdict = found.right ? "right" : "wrong";
    return this.question.rest.querySelector("#next")?.focus({ preventScroll: true });
  }

  verdict({ right, given, answers, why }) {
    const words = (text) => capital(named(this.puzzle.view.choices.find(({ texts }) => texts.length === 1 && texts[0] === text)?.words ?? text, this.seats));
    const known = right && answers.length === 1 && !answers[0].goes_on; // else there is more to say than what you decided
    const head = right ? "Right" : given === null ? "The answer" : "Not the best";
    const study = () => goToNew(`/api/puzzles/${this.puzzle.name}/studies`, { method: "POST" });
    const told = element("div", { class: "ask" }, chip(this.puzzle.view.seat), element("div", {}, element("h2", { class: right ? "good" : given === null ? "" : "bad", tabindex: "-1" }, head),
      given === null ? null : element("p", {}, `You: ${words(given)}.`)));
    return [told, [
      known ? null : element("div", { class: "verdict" },
        element("p", {}, answers.length > 1 ? "Each of these is best:" : right ? "The whole action:" : "Best is:"),
        element("ul", {}, answers.map(({ words: best, things }) => element("li", {
          onpointerenter: () => this.board.hint(things), onpointerleave: () => this.board.hint([]) }, element("b", {}, capital(named(best, this.seats))))))),
      element("p", { class: "soft why" }, why),
      element("div", { class: "row" }, button("Next puzzle", () => this.next(), { class: "main", id: "next" }),
        button("Try things out here", study, { id: "study", title: "the position as a study: play on, ask agents" })),
    ].filter(Boolean)];
  }

  count() {
    const chosen = (this.counts ?? []).filter(({ kind, players }) => [ANY, kind].includes(this.kind.value) && [ANY, String(players)].includes(this.players.value));
    const sum = (name) => chosen.reduce((all, row) => all + row[name], 0);
    const [right, wrong] = [sum("right"), sum("wrong")];
    this.tally.replaceChildren(element("b", { class: "good" }, `${right} right`), ", ", element("b", { class: "bad" }, `${wrong} wrong`), `, ${sum("puzzles") - right - wrong} to come`);
  }

  key(event) {
    if (!isForPage(event)) return;
    if (event.key === "n") this.next();
    else if (!this.board.zoom.key(event.key)) return;
    event.preventDefault();
  }
}

function select(id, label, values) {
  const field = element("select", { id, "aria-label": label });
  offer(field, values);
  return field;
}

function offer(field, values) {
  field.replaceChildren(...values.map((value) => element("option", { value }, value)));
}

function labelled(words, field) {
  return element("label", {}, element("span", { class: "soft" }, `${words} `), field);
}

export function showPuzzles(main) {
  return new PuzzlePage(main);
}
