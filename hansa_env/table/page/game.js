// A game: what is shown, what is heard from the server, what the person does.
import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { button, capital, element, exchange, goToNew, isForPage, isRepeated, note, persist, request } from "./dom.js";
import { openFind } from "./find.js";
import { Guide } from "./guide.js";
import { Log } from "./log.js";
import { Motion } from "./motion.js";
import { PlayOut } from "./playout.js";
import { Question } from "./question.js";
import { Since } from "./since.js";
import { placesOf } from "./spoken.js";
import { Standing } from "./standing.js";
import { Tools } from "./tools.js";

class GamePage {
  constructor(main, id) {
    this.id = id;
    this.moves = [];
    this.seats = [];
    this.held = [];
    this.status = { paused: false, pace: 0, thinking: null, problem: null, over: false };
    this.host = false;
    this.agents = [];
    this.judges = [];  // of these, who value single decisions
    this.views = new Map();
    this.at = null;  // null: the game as it stands
    this.seq = null;  // the event after which the drawn position stands: a decision is meant for what is seen
    this.refreshes = 0;
    this.uncovered = null;  // of several people at this screen, the one who looks at a mission card
    this.wished = new Set();  // what has not been answered, as JSON
    this.clicks = [];  // of this page: from which to which decision
    this.from = null;  // the thing at which the keyboard decided, "" for one that is no thing, until the answer is drawn
    this.board = new Board((choice) => this.choose(choice));
    this.question = new Question((choice) => this.choose(choice), (things) => this.board.hint(things),
      (begun) => this.callOff(begun));
    this.motion = new Motion(this.board);
    this.since = new Since(this);
    this.guide = new Guide(this);
    this.standing = new Standing();
    this.board.zoom.controls.prepend(button("Find", () => this.find(), { id: "find-button", title: "a place or a decision (/)" }));
    this.standing.place.append(this.board.zoom.controls);
    this.log = new Log((number) => this.look(number));
    this.analysis = new Analysis(this);
    this.playOut = new PlayOut(this);
    this.tools = new Tools(this);
    this.past = element("div", { class: "past" });
    this.card = element("div", { class: "card row covered" });
    main.className = "game";
    main.replaceChildren(
      element("h1", { class: "unseen" }, "A game of Hansa Teutonica"),
      element("div", { class: "left" }, this.standing.place, this.board.place),
      element("aside", { class: "right", "aria-label": "Question, seats and decisions" }, this.guide.place, this.question.place, this.past, this.since.place, this.card, this.board.desks,
        this.analysis.place, this.playOut.place,
        element("section", { class: "card log-card" }, element("h3", {}, "The game so far"), this.log.place)));
    document.addEventListener("keydown", (event) => this.key(event));
    this.connection = new Connection(id, (message) => this.hear(message), (...how) => this.connected(...how));
  }

  get number() {
    return this.at ?? this.moves.length;
  }

  // The place of the last decision by a person, which is one's own to take back unless another took it; else -1.
  get undoable() {
    const last = this.moves.findLastIndex((move) => this.seats[move.seat].kind !== "agent");
    return !this.study && this.held.includes(this.moves[last]?.seat) ? last : -1;
  }

  get mayUndo() {
    return this.undoable >= 0;
  }

  // What the game waits for: people are told so wherever they look.
  get waiting() {
    const { seat, problem, take_back } = this.status;
    return { seat, problem, take_back };
  }

  get live() {
    return this.at === null;
  }

  hear(message) {
    if (message.type === "welcome") this.welcome(message);
    else if (message.type === "event") this.happened(message);
    else if (message.type === "status") this.status = message;
    else return;
    this.refresh();
  }

  welcome(message) {
    Object.assign(this, { seats: this.called(message.seats, message.held), held: message.held, host: message.host, study: message.study, began: message.began,
      parent: message.parent, parentAt: message.parent_at, moves: message.moves });
    this.views.clear();
    this.clicks = [];  // what was taken back while the connection was lost is not told one by one
    this.analysis.changed();
    if (this.at !== null && this.at > this.moves.length) this.at = null;
    document.title = this.study ? "Study · Hansa Teutonica" : `${this.seats.map((seat) => seat.name).join(", ")} · Hansa Teutonica`;
    document.getElementById("where").textContent = message.ruleset;
    if (this.host) this.begin();
    if (this.study && this.at === null && !this.wasHere) this.at = this.moves.length ? this.moves.length : null;
    this.wasHere = true;
  }

  // What only a host has.
  async begin() {
    if (this.begins) return;
    this.begins = true;
    ({ agents: this.agents, judges: this.judges } = await persist(() => request("/api/choices")));
    this.analysis.begin();
    this.playOut.begin();
    this.refresh();
  }

  // Who has no name is "You" to himself; of several of one name, each is told with its number.
  called(seats, held) {
    return seats.map((seat) => {
      if (held.length === 1 && held[0] === seat.seat && seat.name === `Seat ${seat.seat}`) return { ...seat, name: "You" };
      const alone = seats.filter((other) => other.name === seat.name).length === 1;
      return alone ? seat : { ...seat, name: `${seat.name} (${seat.seat})` };
    });
  }

  happened(message) {
    if (this.held.length > 1) this.views.clear();  // whoever decides sees a card of their own, and no other
    if (message.kind === "decided") {
      this.moves = [...this.moves, message.move];
    } else if (message.kind === "undone") {
      this.moves = this.moves.slice(0, message.stands);
      for (const number of this.views.keys()) if (number > message.stands) this.views.delete(number);
      if (this.at !== null && this.at > message.stands) this.at = null;
    } else {
      this.seats = this.called(message.seats, this.held);
      this.views.clear();
    }
    this.analysis.changed();
  }

  connected(word, why, title) {
    const lost = document.getElementById("lost"), words = word === "lost" ? "The connection is lost; trying again …" : "";
    if (lost.textContent !== words) lost.textContent = words;  // said once, however often it tries
    if (word === "refused") {
      this.refreshes = NaN;  // nothing is drawn any more
      document.getElementById("main").replaceChildren(element("section", { class: "card notice" },
        element("h1", {}, title), element("p", {}, `${capital(why || "the server does not let you in")}.`)));
    }
  }

  async view(number) {
    if (!this.views.has(number)) {
      this.views.set(number, request(`/api/games/${this.id}/positions/${number}${this.uncovered === null ? "" : `?uncovered=${this.uncovered}`}`));
      this.views.get(number).catch(() => this.views.delete(number));
    }
    return this.views.get(number);
  }

  // Draws the position that is looked at; where it changes meanwhile, only the last one is drawn.
  async refresh() {
    const number = this.number, moves = this.moves, { seq } = this.connection, mine = ++this.refreshes;
    const view = await persist(() => this.view(number), () => mine === this.refreshes);
    if (mine !== this.refreshes) return;
    Object.assign(this, { shown: view, seq });
    this.active = !view.over && !this.sent && (this.study ? this.host : this.live && this.held.includes(view.seat));
    this.board.desks.dataset.players = this.seats.length;
    const thing = this.from ?? keyboardAt()?.closest("[data-thing]")?.dataset.thing ?? null;
    this.standing.show(view, this.seats);
    this.board.show(view, this.seats, this.active);
    this.question.show({ view, seats: this.seats, held: this.held, live: this.live || this.study, status: this.live ? this.status : this.waiting,
      active: this.active, host: this.host, agents: this.agents, act: (wish) => this.act(wish), moves,
      lookBack: this.status.analysis && this.analysis.toggle ? () => this.analysis.lookBack() : null, searching: this.analysis.searching,
      agree: (agreed) => this.act({ type: "agree", seq: this.seq, agreed }) });
    if (thing !== null && !this.sent) {
      this.from = null;
      (this.board.buttons([thing])[0] ?? this.question).focus();
    }
    this.log.show(this.moves, this.seats);
    this.log.mark(number);
    this.showPast();
    this.showCovered(view);
    this.tools.refresh();
    this.analysis.refresh(view);
    this.playOut.refresh(view);
    this.guide.show(view, moves, this.held, this.active);
    this.since.show(moves, this.seats, this.study ? [] : this.held);
    document.body.dataset.number = number;
    const moved = this.drawnLast === number - 1 ? view.trail : null;
    this.drawnLast = number;
    return this.motion.show(moved);
  }

  showPast() {
    const hidden = this.live || (this.study && this.number === this.moves.length);
    const lost = exchange(this.past, ...(hidden ? [] : [
      element("span", {}, `You look at decision ${this.at} of ${this.moves.length}.`),
      button(this.study ? "To the end" : "Back to the game", () => this.goTo(null), { class: "main small" })]));
    if (lost) this.question.focus();
  }

  // Nobody else at the screen sees the mission card of whoever decides, until that one asks for it.
  showCovered({ covered }) {
    if (covered !== null) this.uncovered = null;
    const lost = exchange(this.card, ...(covered === null ? [] : [
      element("span", {}, `${this.seats[covered].name}, your mission card is covered.`),
      button("Show my card", () => this.uncover(covered), { class: "small", id: "uncover" })]));
    this.card.hidden = covered === null;
    if (lost) this.question.focus();
  }

  uncover(seat) {
    this.uncovered = seat;
    this.views.clear();
    this.refresh();
  }

  goTo(number) {
    this.since.end();
    return this.show(number);
  }

  show(number) {
    const last = this.moves.length;
    this.at = number === null || (number >= last && !this.study) ? null : Math.max(0, Math.min(number, last));
    return this.refresh();
  }

  // Goes to a position that something below the map names; on a phone nobody would see it there.
  look(number) {
    this.board.reveal();
    return this.goTo(number);
  }

  // A decision: of the game as it stands, or of a study, where another than what was decided begins a branch.
  async choose(choice, seq = this.seq) {
    if (this.study && this.number < this.moves.length) {
      if (choice.texts.every((text, n) => this.moves[this.number + n]?.text === text)) this.goTo(this.number + choice.texts.length);
      else this.branch(choice.texts, null, null);
      return;
    }
    if (this.sent || (!this.study && !this.live)) return;
    this.motion.end?.();
    this.sent = true;  // until the answer comes, nothing else can be clicked
    const at = keyboardAt();
    this.from = at && (at.closest("[data-thing]")?.dataset.thing ?? "");
    this.board.offer([]);
    this.question.wait();
    this.clicks = [...this.clicks.filter((click) => click.end <= this.moves.length),
      { start: this.moves.length, end: this.moves.length + choice.texts.length }];
    const answer = await this.connection.wish({ type: "decide", seq, texts: choice.texts });
    this.sent = false;
    if (answer.type === "refused") note(answer.why, "bad");
    if (this.study) this.at = this.moves.length;
    this.refresh();
  }

  // The same wish once more, as by a double click, before the first is answered, is no other.
  async act(wish) {
    const words = JSON.stringify(wish);
    if (this.wished.has(words)) return;
    this.wished.add(words);
    const answer = await this.connection.wish(wish);
    this.wished.delete(words);
    if (answer.type === "refused") note(answer.why, "bad");
  }

  // What one click decided is taken back at once.
  undo() {
    const last = this.undoable;
    const click = this.clicks.find(({ start, end }) => start <= last && last < end);
    return this.act({ type: "undo", seq: this.seq, to: click?.start ?? null });
  }

  // The action under way is begun anew; at a study one only goes back.
  callOff(begun) {
    if (this.study) this.goTo(begun);
    else this.act({ type: "undo", seq: this.seq, to: begun });
  }

  branch(texts, seats, clock) {
    return this.branchAt(this.number, texts, seats, clock);
  }

  branchAt(at, texts, seats, clock) {
    return goToNew(`/api/games/${this.id}/branches`, { body: { at, texts, seats, clock } });
  }

  find() {
    if (!this.shown) return;
    const { seq } = this;  // what is chosen in the end is meant for the position at which it was opened
    openFind({ places: placesOf(this.board.map, this.seats), choices: this.active ? this.shown.choices : [], seats: this.seats,
      choose: (choice) => this.choose(choice, seq), hint: (things) => this.board.hint(things) });
  }

  key(event) {
    if (!isForPage(event)) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (event.key in steps) this.goTo(this.number + steps[event.key]);
    else if (event.key === "Home") this.goTo(0);
    else if (event.key === "End") this.goTo(null);
    else if (event.key === "u" && this.mayUndo) isRepeated(event) || this.undo();
    else if (event.key === "/") this.find();
    else if (this.board.zoom.key(event.key)) return;
    else return;
    event.preventDefault();
  }
}

// What has the keyboard's attention, null where people use a mouse or a finger.
function keyboardAt() {
  const at = document.activeElement;
  return at !== document.body && at?.matches(":focus-visible") ? at : null;
}

export function showGame(main, id) {
  return new GamePage(main, id);
}
