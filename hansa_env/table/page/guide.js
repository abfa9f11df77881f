// A first game that teaches the rules: on the real board, one lesson after the other, each by doing it.
import { button, element } from "./dom.js";

const begins = (choice, verb) => choice.texts[0].split(" ")[0] === verb;
const did = (verb) => ({ mine }) => mine.some((move) => move.text.split(" ")[0] === verb);
const offered = (verb) => ({ view }) => view.choices.some((choice) => begins(choice, verb));

// `done({mine, view})`: `mine` are one's own decisions since the lesson began; without it one goes on by a button.
// `mark(choice)`: which decisions are shown on the board.
const LESSONS = [
  { title: "Traders on the road", words: "You are a merchant of the Hanse. Squares are traders, discs are merchants; the circles between two cities "
    + "are posts. Nearly everything begins with pieces on posts. Place a trader: click a free post, for instance one beside Göttingen.",
  mark: (choice) => begins(choice, "place") && choice.texts[0].includes("gottingen"), done: did("place") },
  { title: "Fill a route", words: "A route is yours when a piece of yours stands on every post between its two cities. A turn has two actions at "
    + "first, and each piece costs one; then the others play. Go on until every post of one route is yours. If your supply is empty, take income.",
  mark: (choice) => begins(choice, "place") && choice.texts[0].includes("gottingen"), done: offered("claim") },
  { title: "Claim it", words: "The route is full: claim it by a click on it. That is one action. Whoever controls its cities gains a prestige point; "
    + "a marker that lies on the route is yours.", mark: (choice) => begins(choice, "claim"), done: did("claim") },
  { title: "What a claim brings", words: "For a claim you get one thing. An office makes a city count for you; an ability makes you better: at Göttingen "
    + "you get more actions, at Stade privilege for coloured offices. Choose one; the other pieces go back to your stock.",
  mark: (choice) => begins(choice, "develop") || begins(choice, "office"), done: ({ mine }) => mine.some((move) => move.asked === "reward") },
  { title: "Stock and supply", words: "You place pieces from your supply; what comes back lies in your stock. Income moves pieces from stock to supply: "
    + "three at first. Take income.", mark: (choice) => begins(choice, "income"), done: did("income") },
  { title: "Displace", words: "Somebody stands where you want to? Put a piece in its place. It costs you one piece more for a trader, two for a merchant; "
    + "the owner puts the displaced one on a road nearby, with an extra piece from stock. Being displaced is not bad at all! Displace a piece.",
  mark: (choice) => begins(choice, "displace") && choice.texts.length > 1, done: did("displace") },
  { title: "An office", words: "Fill and claim a route again, and this time take an office: the leftmost free space of one of its cities. Squares take "
    + "traders, circles merchants; its colour asks for privilege: you begin with white.", mark: (choice) => begins(choice, "office"), done: did("office") },
  { title: "How it ends", words: "The strip above the board shows it: the game ends at 20 prestige, when a marker is due and the pile is empty, or "
    + "when ten cities are complete. Then offices, markers, full abilities and your largest network of cities count. Rest the mouse on "
    + "anything, or press it long, to read its rule." },
  { title: "Now play", words: "That was all you need. Play this game to its end, or begin a real one against a stronger opponent." },
];

export class Guide {
  constructor(page) {
    this.page = page;
    this.key = `hansa guide ${page.id}`;
    this.at = Number(sessionStorage.getItem(this.key) ?? 0);
    this.since = null;
    this.place = element("section", { class: "card guide", "aria-label": "First game", "aria-live": "polite" });
    this.place.hidden = !new URLSearchParams(location.hash.slice(1)).has("guide");
  }

  show(view, moves, held, active) {
    if (this.place.hidden) return;
    this.since ??= moves.length;
    const lesson = LESSONS[this.at];
    const mine = moves.slice(this.since).filter((move) => held.includes(move.seat));
    if (lesson.done?.({ mine, view: active ? view : { choices: [] } })) return this.next(moves.length, view, moves, held, active);
    if (this.shown !== this.at) this.draw(lesson);
    this.page.board.point(active && lesson.mark ? view.choices.filter(lesson.mark).flatMap((choice) => choice.things) : []);
  }

  next(since, ...state) {
    this.at = Math.min(this.at + 1, LESSONS.length - 1);
    this.since = since;
    sessionStorage.setItem(this.key, String(this.at));
    if (state.length) this.show(...state);
    else this.page.refresh();
  }

  draw(lesson) {
    this.shown = this.at;
    const last = this.at === LESSONS.length - 1;
    const go = last ? button("Close", () => { this.place.hidden = true; this.page.board.point([]); }, { class: "main small" })
      : button(lesson.done ? "Skip" : "Next", () => this.next(this.page.moves.length), { class: lesson.done ? "small" : "main small" });
    this.place.replaceChildren(
      element("div", { class: "row" }, element("h2", {}, lesson.title), element("span", { class: "soft" }, `${this.at + 1} of ${LESSONS.length}`),
        element("div", { class: "row end" }, last ? element("a", { href: "/" }, "A real game") : null, go)),
      element("p", {}, lesson.words));
  }
}
