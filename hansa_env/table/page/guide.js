// A first game that teaches the rules: on the real board, one lesson after the other, each by doing it.
import { button, element, exchange } from "./dom.js";
import { remember, remembered } from "./storage.js";

const begins = (choice, verb) => choice.texts[0].split(" ")[0] === verb;
const one = (...verbs) => (choice) => verbs.some((verb) => begins(choice, verb));
const placed = (city) => (choice) => begins(choice, "place") && choice.texts[0].includes(city);
const did = (verb) => ({ mine }) => mine.some((move) => move.text.split(" ")[0] === verb);
const didAll = (verb) => ({ mine, view }) => did(verb)({ mine }) && view.asked === "act";
const isUnderWay = ({ asked, seat, turn }) => asked !== "act" && seat === turn;
const offered = (verb) => ({ view }) => view.choices.some((choice) => begins(choice, verb));

// `done({mine, view})`: `mine` are one's own decisions since the lesson began; without it one goes on by a button.
// `mark(choice, view)`: which decisions are shown on the board and among the answers.
const LESSONS = [
  { title: "Traders on the road", words: "Square pieces are traders, round ones are merchants. The circles on the roads between cities are posts. Nearly "
    + "everything begins with a piece on a post. Place a trader now: click one of the posts marked green, beside Göttingen.",
  mark: placed("gottingen"), done: did("place") },
  { title: "Fill a route", words: "A route is the road between two cities. You hold it when a piece of yours stands on each of its posts. You begin with "
    + "two actions in a turn, and each piece that you place costs one; then the others play. Go on until you hold the whole route. If your supply is "
    + "empty, take income.",
  mark: placed("gottingen"), done: offered("claim") },
  { title: "Claim it", words: "You hold the route. Claim it: click one of your pieces on it, or the button marked green. That costs one action. Whoever "
    + "controls a city at either end scores a point of prestige. If a marker lay on the route, it would be yours.",
  mark: one("claim"), done: did("claim") },
  { title: "What a claim brings", words: "A claim brings you one thing. An office makes a city count for you. Or an ability makes you better: Göttingen "
    + "gives you more actions in a turn, Stade the privilege to take offices of more colours. Choose one; the pieces that you do not use go to your stock.",
  mark: one("develop", "office"), done: ({ mine }) => mine.some((move) => move.asked === "reward") },
  { title: "Stock and supply", words: "On your desk you see both. You place pieces from your supply, and pieces that come back go to your stock. Income "
    + "takes pieces from the stock to the supply, three at first. Take income.",
  mark: one("income"), done: did("income") },
  { title: "Displace", words: "Somebody stands where you want to be? Click the piece, and yours takes its place. Besides the action that costs you one "
    + "more piece for a trader, two for a merchant. Its owner puts it on a free post nearby and may add a piece from the stock, two for a "
    + "merchant, so being displaced is not bad at all. Displace a piece.",
  mark: (choice, view) => one("displace")(choice) || isUnderWay(view), done: didAll("displace") },
  { title: "Move", words: "Your pieces on posts need not stay there. For one action you lift up to two of them, more once your book is "
    + "developed, and put each on any free post. Click a piece of yours, say when you have lifted enough, and click where each goes. Move a piece.",
  mark: one("move", "lift", "put"), done: didAll("move") },
  { title: "An office", words: "Fill and claim another route, such as Stade–Hamburg, and take an office this time. You get the leftmost free space of the "
    + "city. A square space takes a trader, a round one a merchant. Its colour tells which privilege it needs; you begin with white.",
  mark: (choice) => placed("stade")(choice) || one("claim", "office")(choice), done: did("office") },
  { title: "Markers", words: "The signs beside some roads are markers. Who claims such a road takes its marker, and lays a new one from the pile at the "
    + "end of the turn. You use a marker once, in any turn of yours; it costs no action. All that you took count at the end, used or not. "
    + "Rest the mouse on a marker, or press it long, to read what it does. That works for everything." },
  { title: "Two more ways to score", words: "Link Arnheim with Stendal: if you have an office in each city of an unbroken chain of routes between the two, "
    + "you score 7 points at once if you are the first, 4 as the second, 2 as the third. Or claim Coellen–Warburg with a merchant, and put it on the "
    + "Coellen table instead of taking an office: its spaces score 7 to 11 points at the end, the more the higher your privilege." },
  { title: "How it ends", words: "The game ends when somebody has 20 prestige, when ten cities are full, or when a marker is due and the pile is empty. "
    + "The strip above the board shows how near that is. Then you score for each city that you control, for markers, for merchants on the "
    + "Coellen table, for complete abilities but the keys, and for your largest network of cities, in which every office counts as many points as your "
    + "keys show." },
  { title: "Now play", words: "That is all you need. Play this game to its end, or begin a real one against better opponents." },
];

const CLOSED = "closed";

export class Guide {
  constructor(page) {
    this.page = page;
    this.key = `hansa guide ${page.id}`;
    const kept = remembered(this.key);  // the game goes on in another tab, and on another day
    this.at = Number(kept ?? 0);
    this.since = null;
    this.place = element("section", { class: "card guide", "aria-label": "First game", "aria-live": "polite" });
    this.place.hidden = kept === null ? !new URLSearchParams(location.hash.slice(1)).has("guide") : kept === CLOSED;
    if (!this.place.hidden) remember(this.key, String(this.at));
  }

  show(view, moves, held, active) {
    if (this.place.hidden) return;
    this.since = Math.min(this.since ?? moves.length, moves.length);
    const lesson = LESSONS[this.at];
    const mine = moves.slice(this.since).filter((move) => held.includes(move.seat));
    if (lesson.done?.({ mine, view: active ? view : { asked: null, choices: [] } })) return this.next(moves.length, view, moves, held, active);
    if (this.shown !== this.at) this.draw(lesson);
    this.point(active && lesson.mark ? view.choices.filter((choice) => lesson.mark(choice, view)) : []);
  }

  point(choices) {
    this.page.board.point(choices.flatMap((choice) => choice.things));
    this.page.question.point(choices);
  }

  next(since, ...state) {
    this.at = Math.min(this.at + 1, LESSONS.length - 1);
    this.since = since;
    remember(this.key, String(this.at));
    if (state.length) this.show(...state);
    else this.page.refresh();
  }

  close() {
    if (this.place.contains(document.activeElement)) this.page.question.focus();
    this.place.hidden = true;
    remember(this.key, CLOSED);
    this.point([]);
  }

  draw(lesson) {
    this.shown = this.at;
    const last = this.at === LESSONS.length - 1;
    const go = last ? button("Close", () => this.close(), { class: "main small" })
      : button(lesson.done ? "Skip" : "Next", () => this.next(this.page.moves.length), { class: lesson.done ? "small" : "main small" });
    exchange(this.place,
      element("div", { class: "row" }, element("h2", {}, lesson.title), element("span", { class: "soft" }, `${this.at + 1} of ${LESSONS.length}`),
        element("div", { class: "row end" }, last ? element("a", { href: "/", class: "button small" }, "A real game") : null, go)),
      element("p", {}, lesson.words));
  }
}
