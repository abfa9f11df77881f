// Whole actions that an agent suggests: told, shown as arrows, and played from here.
import { attempt, button, capital, element, isRepeated, named, percent, request } from "./dom.js";
import { Arrows } from "./arrows.js";
import { remember, remembered } from "./storage.js";

const ARROWS = "hansa arrows", EXPECTED = "hansa expected";
const ENDS = { hidden: "What follows depends on what nobody knows yet.", over: "The game is over then." };  // why nothing more is told

export class Plans {
  // `thinking` says that the agent thinks.
  constructor(page, thinking) {
    this.page = page;
    this.thinking = thinking;
    this.arrows = new Arrows(page.board);
    this.list = element("ol", {});
    this.drawing = tick("Arrows", ARROWS, true, () => this.draw());
    this.going = tick("and what follows", EXPECTED, false, () => this.draw());
    this.ticks = element("div", { class: "row", hidden: true }, this.drawing.place, this.going.place);
    this.place = element("section", { class: "planned", "aria-label": "Whole actions" }, this.ticks, this.list);
    this.clear();
  }

  clear() {
    this.found = [];  // {plan, pick, then, expected, asking, failed}
    this.asked = this.chosen = this.looked = null;
    this.list.replaceChildren();
    this.ticks.hidden = true;
    this.arrows.clear();
    this.thinking.review();
  }

  // Asks for one action after the other; each is there as soon as it is found.
  async ask(agent) {
    this.clear();
    const asked = (this.asked = { agent, at: this.page.number });
    for (let rank = 0, of = 1; rank < of; rank++) {
      const told = await this.request("plan", asked, rank, rank ? `whole action ${rank + 1} of at most ${of}` : "its likeliest whole action");
      if (asked !== this.asked) return;
      if (told?.plan) this.add(told.plan, rank);
      else if (!rank) this.list.replaceChildren(element("li", { class: "soft" }, told ? `${agent} suggests nothing here.` : unasked(agent)));
      of = told?.plan ? told.of : 0;
    }
  }

  request(what, asked, rank, told) {
    const { agent, at } = asked;
    const path = `/api/games/${this.page.id}/${what}?agent=${encodeURIComponent(agent)}&at=${at}&rank=${rank}`;
    return attempt(() => this.thinking.think(agent, told, (signal) => request(path, { signal }), () => asked === this.asked));
  }

  add(plan, rank) {
    const { page } = this, words = capital(named(plan.words, page.seats)), look = (at) => () => this.look(at);
    const pick = button(words, () => this.pick(rank), { class: "link pick", "aria-pressed": "false",
      title: "show it on the board", onfocus: look(rank), onblur: look(null) });
    const then = element("p", { class: "soft then", role: "status" });
    const row = element("li", { onpointerenter: look(rank), onpointerleave: look(null) },
      element("div", { class: "plan" }, pick, element("span", { class: "figures" }, percent(plan.share),
        plan.value === null ? "" : element("small", {}, ` win ${percent(plan.value)}`)),
      page.active ? button("Do it", (event) => isRepeated(event) || page.choose({ texts: plan.steps.map((step) => step.text) }),
        { class: "small", "aria-label": `Do it: ${words}` }) : ""), then);
    this.found.push({ plan, pick, then, expected: null });
    this.list.append(row);
    this.ticks.hidden = false;
    if (rank === 0) this.choose(0);
  }

  // On a phone the list is so far below the map that nobody would see the arrows.
  pick(rank) {
    this.choose(rank === this.chosen ? null : rank);
    if (this.chosen !== null && this.drawing.checked) this.page.board.reveal();
  }

  // The action whose arrows stay.
  choose(rank) {
    this.chosen = rank;
    this.found.forEach(({ pick }, n) => pick.setAttribute("aria-pressed", String(n === rank)));
    this.draw();
  }

  // The action that is looked at meanwhile.
  look(rank) {
    this.looked = rank;
    this.draw();
  }

  draw() {
    const { page } = this, rank = this.looked ?? this.chosen, shown = this.found[rank];
    if (this.going.checked && this.chosen !== null) this.follow(this.chosen);
    page.board.hint(shown && !this.drawing.checked ? shown.plan.steps.flatMap((step) => step.things) : []);
    this.found.forEach(({ then, expected, failed }, n) => {
      then.hidden = !this.going.checked || n !== this.chosen;
      then.textContent = failed ? unasked(this.asked.agent) : expected ? this.told(expected) : "";
    });
    if (!shown || !this.drawing.checked) return this.arrows.clear();
    const { plan, expected } = shown, steps = [...plan.steps, ...(this.going.checked && expected ? expected.steps : [])];
    this.arrows.show(`${this.asked.agent} suggests: ${named(plan.words, page.seats)}`, steps, plan.steps.length);
  }

  // What is expected after an action, asked for once.
  async follow(rank) {
    const shown = this.found[rank], { asked } = this;
    if (shown.expected || shown.asking || shown.failed) return;
    shown.asking = true;
    const told = await this.request("expected", asked, rank, "what follows");
    shown.asking = false;
    if (asked !== this.asked) return;
    if (told) shown.expected = told;
    else shown.failed = true;
    this.draw();
  }

  told({ steps, why }) {
    const { seats } = this.page;
    const parts = steps.map(({ seat, words }, n) => (n && steps[n - 1].seat === seat ? "" : `${seats[seat].name}: `) + named(words, seats));
    return [parts.length ? `Then: ${parts.join("; ")}.` : "", ENDS[why] ?? ""].filter(Boolean).join(" ");
  }
}

function unasked(agent) {
  return `${agent} could not be asked.`;
}

// A box to tick, which is as one left it.
function tick(label, kept, usual, changed) {
  const before = remembered(kept);
  const box = element("input", { type: "checkbox", id: kept.replace(" ", "-"), checked: before === null ? usual : before === "yes", onchange: () => {
    remember(kept, box.checked ? "yes" : "no");
    changed();
  } });
  return { place: element("label", { class: "tick" }, box, ` ${label}`), get checked() { return box.checked; } };
}
