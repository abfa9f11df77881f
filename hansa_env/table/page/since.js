// What the others did since one's own turn, action by action; it can be seen again.
import { button, chip, element, joint, toldInARow, withThen } from "./dom.js";

const STEP = 350;  // milliseconds between two decisions that are seen again

export class Since {
  constructor(page) {
    this.page = page;
    this.list = element("ol", {});
    this.again = button("Show it again", () => (this.running ? this.stop() : this.replay(this.first, this.last)), { id: "replay", class: "small" });
    this.place = element("section", { class: "card since", "aria-label": "Since your turn" },
      element("div", { class: "row" }, element("h3", {}, "Since your turn"), this.again,
        element("label", { class: "soft" }, "pieces move ", page.motion.picker)), this.list);
    this.place.hidden = true;
  }

  show(moves, seats, held) {
    if (this.running) return;
    const [first, last] = between(moves, held);
    const key = `${first} ${last} ${seats.map((seat) => seat.name)} ${moves.slice(first, last).map((move) => move.text)}`;
    if (key === this.key) return;
    Object.assign(this, { first, last, key });
    const groups = actions(moves.slice(first, last));
    this.place.hidden = !groups.length;
    this.list.replaceChildren(...groups.map((group) => this.action(group, seats)));
  }

  action(group, seats) {
    const parts = group.flatMap(withThen);
    const words = toldInARow(parts, group[0].seat, seats).map((words, n) => `${n ? joint(parts[n]) : ""}${words}`);
    const [first, last] = [group[0].number - 1, group.at(-1).number];
    return element("li", {}, button([chip(group[0].seat), element("span", {}, element("b", {}, seats[group[0].seat].name), " ", words.join(""))],
      () => this.replay(first, last), { class: "link", title: "show this again" }));
  }

  // Goes through decisions one after the other, and back to where the game stands.
  async replay(first, last) {
    const running = (this.running = {});
    const { page } = this;
    this.again.textContent = "Stop";
    await page.show(first);
    for (let number = first + 1; number <= last && this.running === running; number++) {
      await new Promise((done) => setTimeout(done, STEP));
      if (this.running !== running) return;
      await page.show(number);
    }
    if (this.running === running) {
      await new Promise((done) => setTimeout(done, 2 * STEP));
      if (this.running === running) this.stop();
    }
  }

  stop() {
    if (this.running) this.page.goTo(null);
  }

  // Whoever goes elsewhere ends it.
  end() {
    this.running = null;
    this.again.textContent = "Show it again";
  }
}

// From which to which decision others had their turns last: behind one's own turn before, up to one's own now.
function between(moves, held) {
  const own = (move) => held.includes(move.active);
  let last = moves.length;
  while (last > 0 && own(moves[last - 1])) last--;
  let first = last;
  while (first > 0 && !own(moves[first - 1])) first--;
  return held.length ? [first, last] : [0, 0];
}

// Decisions, those of one action together; that a turn ends is told only where nothing else was done in it.
function actions(moves) {
  const groups = [];
  for (const move of moves) {
    if (!groups.length || move.asked === "act" || (move.asked === "marker" && groups.at(-1).at(-1).asked !== "marker")) groups.push([]);
    groups.at(-1).push(move);
  }
  const ends = (group) => group.length === 1 && group[0].text === "done";
  const acted = new Set(groups.filter((group) => !ends(group)).map((group) => group[0].turn));
  return groups.filter((group) => !ends(group) || !acted.has(group[0].turn));
}
