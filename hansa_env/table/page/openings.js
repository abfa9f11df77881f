// Openings: how games of strong agents begin. A click on a decision, in the list or on the board, goes there.
import { Board } from "./board.js";
import { asSheet, attempt, button, capital, chip, element, exchange, goToNew, isForPage, named, numberOf, percent, request } from "./dom.js";
import { goToQuestion } from "./question.js";
import { Standing } from "./standing.js";

class OpeningPage {
  constructor(main, books) {
    this.books = books;
    this.texts = [];
    this.board = new Board((choice) => this.go([...this.texts, ...choice.texts]));
    this.standing = new Standing();
    this.standing.place.append(this.board.zoom.controls);
    this.book = element("select", { id: "book", "aria-label": "Games", onchange: () => this.begin() },
      books.map(({ ruleset, agents, games }, n) => element("option", { value: String(n) }, `${ruleset} · ${agents.join(", ")} · ${games.toLocaleString("en")} games`)));
    this.beginning = element("select", { id: "beginning", "aria-label": "Markers", onchange: () => this.go([]) });
    this.about = element("p", { class: "soft", id: "about" });
    this.bar = element("section", { class: "card puzzle-bar", "aria-label": "Which openings" },
      element("div", { class: "row" }, element("h1", {}, "Openings"), this.book, this.beginning), this.about);
    this.back = button("Back", () => this.go(this.texts.slice(0, -1)), { id: "back", class: "small", title: "one decision back (←)" });
    this.again = button("To the beginning", () => this.go([]), { id: "again", class: "small", title: "(Home)" });
    this.study = button("Try things out here", () => this.try(), { id: "study", class: "small", title: "these decisions as a study: play on, ask agents" });
    this.told = element("div", { "aria-live": "polite" });
    this.rest = element("div", { class: "rest" });
    this.place = element("section", { class: "card question explorer", "aria-label": "What was decided" }, this.told, element("div", { class: "row" }, this.back, this.again, this.study), this.rest);
    asSheet(this.place);
    this.way = element("div", { class: "way" });
    main.className = "game";
    main.replaceChildren(element("div", { class: "left" }, this.bar, this.standing.place, this.board.place),
      element("aside", { class: "right", "aria-label": "Decisions and seats" }, this.place,
        element("section", { class: "card way-card", "aria-label": "The way here" }, element("h3", {}, "The way here"), this.way), this.board.desks));
    document.title = "Openings · Hansa Teutonica";
    document.addEventListener("keydown", (event) => this.key(event));
    this.begin();
  }

  begin() {
    this.offerBeginnings();
    this.go([]);
  }

  offerBeginnings() {
    const { beginnings } = this.books[this.book.value];
    this.beginning.replaceChildren(...beginnings.map(({ words, games }, n) => element("option", { value: String(n) }, `${words} (${games.toLocaleString("en")})`)));
  }

  get body() {
    return { book: Number(this.book.value), beginning: Number(this.beginning.value), texts: this.texts };
  }

  async go(texts) {
    this.texts = texts;
    this.board.offer([]);
    const { body } = this;
    const found = await attempt(() => request("/api/openings/positions", { body }));
    if (texts !== this.texts) return;
    if (found) {
      this.asked = body;
      this.show(found);
    } else if (this.found) {  // back to what is shown, whatever was chosen meanwhile
      if (this.book.value !== String(this.asked.book)) {
        this.book.value = String(this.asked.book);
        this.offerBeginnings();
      }
      this.beginning.value = String(this.asked.beginning);
      this.texts = this.asked.texts;
      this.show(this.found);
    }
  }

  show(found) {
    this.found = found;
    const { view, moves } = found, { depth, least } = this.books[this.book.value];
    this.seats = Array.from({ length: view.scores.length }, (_, seat) => ({ seat, name: `Seat ${seat}` }));
    this.about.textContent = `Positions that at least ${least} games reached, up to ${depth} decisions deep.`;
    this.board.desks.dataset.players = this.seats.length;
    this.standing.show(view, this.seats);
    this.board.show(view, this.seats, !view.over);
    const taken = found.decisions.map(({ text }) => text);
    this.board.fade(view.choices.filter(({ texts }) => !taken.includes(texts[0])).flatMap(({ things }) => things),
      found.decisions.flatMap(({ things }) => things));
    this.told.replaceChildren(element("div", { class: "ask" }, chip(view.seat ?? 0), element("div", {},
      element("h2", { tabindex: "-1" }, found.games ? `${found.games.toLocaleString("en")} games` : "No game is told from here on"),
      element("p", { class: "soft" }, `${capital(view.question)} · ${numberOf(moves.length, "decision")} so far`))));
    this.board.hint([]);
    exchange(this.rest, ...this.decisions(found));
    this.place.scrollTop = 0;
    const began = [this.back, this.again].includes(document.activeElement);
    this.back.disabled = this.again.disabled = !moves.length;
    if (began && !moves.length) goToQuestion(this.place);
    this.way.replaceChildren(...moves.map((move, n) => element("p", {}, chip(move.seat), " ",
      button(named(move.words, this.seats), () => this.go(this.texts.slice(0, n + 1)), { class: "link" }))));
    this.way.scrollTop = this.way.scrollHeight;
    document.body.dataset.number = moves.length;
    this.board.heat(found.decisions.map(({ things, share }, n) => ({ things, share, best: n === 0 })));
  }

  decisions({ decisions, more, games, view }) {
    if (!decisions.length) return [element("p", { class: "soft" }, games ? "" : "Too few games went this way, a hidden marker was drawn, or it leads back to an earlier position. Go back, or try things out.")];
    const rows = decisions.map((one) => element("tr", { "data-text": one.text,
      onpointerenter: () => this.board.hint(one.things), onpointerleave: () => this.board.hint([]) },
      element("td", {}, button(capital(named(one.words, this.seats)), () => this.go([...this.texts, one.text]), { class: "link" }),
        one.then.length ? element("span", { class: "then" }, "then ", one.then.flatMap(({ seat, words }, n) => [n ? "; " : "", chip(seat), ` ${named(words, this.seats)}`])) : null),
      element("td", {}, percent(one.share), element("span", { class: "between" }, one.games.toLocaleString("en"))),
      element("td", {}, percent(one.wins), element("span", { class: "between" }, `${Math.round(100 * one.low)}–${Math.round(100 * one.high)} %`))));
    return [
      element("table", {}, element("thead", {}, element("tr", {}, ["decision", "taken", `wins of ${this.seats[view.seat].name}`].map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, rows)),
      more ? element("p", { class: "soft" }, `and ${more} more, each taken less often`) : null,
    ].filter(Boolean);
  }

  try() {
    return goToNew("/api/openings/studies", { body: this.body });
  }

  key(event) {
    if (!isForPage(event)) return;
    if (event.key === "ArrowLeft" && this.texts.length) this.go(this.texts.slice(0, -1));
    else if (event.key === "Home") this.go([]);
    else if (!this.board.zoom.key(event.key)) return;
    event.preventDefault();
  }
}

export async function showOpenings(main) {
  const found = await attempt(() => request("/api/openings"));
  if (found?.books.length) return new OpeningPage(main, found.books);
  main.replaceChildren(element("section", { class: "card notice" }, element("h1", {}, "Openings"),
    element("p", {}, "This table was started without a file of openings. Make one, which takes an hour or more of a core, and name it:"),
    element("pre", {}, "hansa openings --players 3 --out openings.jsonl.gz\nhansa table --openings openings.jsonl.gz")));
  return null;
}
