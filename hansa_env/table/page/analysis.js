// What agents think: of every decision at a position, as numbers and on the board, and of the game from beginning to end.
import { attempt, button, capital, element, exchange, isRepeated, named, note, percent, request, wholePercents } from "./dom.js";
import { Curve } from "./curve.js";
import { Plans } from "./plans.js";
import { Report } from "./report.js";
import { Thinking } from "./thinking.js";

const LIKELIEST = 10;  // decisions that are listed at first
const AT_ONCE = { first: 2, most: 32 };  // positions in one request: as many as are answered in about a second

export class Analysis {
  constructor(page) {
    this.page = page;
    this.known = new Map();  // "agent number" → what was found, or is on its way
    this.weighed = new Map();  // "agent number" → {values, done, of}: what each decision is worth, where the agent has to be asked
    this.thinking = new Thinking((agent) => page.status.preparing?.includes(agent));
    this.searching = false;  // through the whole game
    this.stopped = false;
    this.open = false;
    this.agent = null;
    this.second = "";
    this.current = null;  // {view, agents, found}: what the table is about; found is null until all agents have answered
    this.place = element("div");
  }

  begin() {
    const { page } = this;
    this.agent = page.agents.includes("ppo") ? "ppo" : page.agents[0];
    this.first = picker(page.agents, this.agent, (value) => { this.agent = value; this.changed(); page.refresh(); });
    this.other = picker(["", ...page.agents], "", (value) => { this.second = value; page.refresh(); });
    this.table = element("div", { class: "thoughts" });
    this.curve = new Curve((number) => page.goTo(number), (number) => page.look(number));
    this.report = new Report(page, this.thinking);
    this.branches = element("div", { class: "branches" });
    this.runs = button("The whole game", () => this.alone(() => this.whole()), { id: "whole-game", disabled: this.searching });
    this.finds = button("Find the mistakes", () => this.alone(() => this.mistakes()), { id: "mistakes", disabled: this.searching });
    this.stops = button("Stop", () => this.stop(), { id: "stop-search", hidden: !this.searching });
    this.plans = new Plans(page, this.thinking);
    this.suggests = button("Whole actions", () => this.plans.ask(this.agent), { id: "plan" });
    this.toggle = element("details", { class: "card analysis", ontoggle: () => { this.open = this.toggle.open; page.refresh(); } },
      element("summary", { onclick: () => page.question.folded(!this.toggle.open) }, "What agents think"),  // on a phone the question lies over it
      element("div", { class: "row" }, this.first, element("span", { class: "soft" }, "beside"), this.other, this.suggests, this.runs, this.finds, this.stops),
      this.thinking.place, this.plans.place, this.table, this.curve.place, this.report.place, this.branches);
    this.place.replaceChildren(this.toggle);
    if (page.study) this.toggle.open = true;
    this.listBranches();
  }

  // What was decided is no longer the same: curves are drawn anew when they are asked for.
  changed() {
    this.known = new Map();  // what is still on its way is of the line before
    this.weighed = new Map();
    this.curve?.clear();
    this.report?.clear();
    this.plans?.clear();
  }

  async refresh(view) {
    if (!this.toggle) return;
    const allowed = this.page.status.analysis;
    this.toggle.hidden = !allowed;
    const agents = [this.agent, this.second].filter(Boolean);
    const current = (this.current = this.open && allowed && !view.over ? { view, agents, found: null } : null);
    this.thinking.review();
    if (!current) this.page.board.heat([]);
    if (!this.open || !allowed) {
      this.plans.clear();
      return;
    }
    this.curve.mark(view.number);
    if (this.plans.asked && this.plans.asked.at !== view.number) this.plans.clear();
    this.thinking.show();
    if (view.over) {
      this.table.classList.remove("waiting");
      this.table.replaceChildren(element("p", { class: "soft" }, "The game is over here; go back to see what agents thought."));
      return;
    }
    this.table.classList.add("waiting");
    const found = await Promise.all(agents.map((agent) => attempt(() => this.at(agent, view.number))));
    if (current !== this.current) return;  // another position or other agents since
    this.table.classList.remove("waiting");
    current.found = found;
    this.show();
    for (const [n, agent] of agents.entries()) await this.weigh(view.number, agent, found[n]?.estimate);
  }

  // An agent that values positions and no decisions is asked about the decisions of this one, a few at a time,
  // by one loop for as long as the table is about both.
  async weigh(number, agent, estimate) {
    const weighed = this.weighed, key = `${agent} ${number}`;
    if (!estimate || estimate.value === null || valuesDecisions(estimate)) return;
    if (!weighed.has(key)) weighed.set(key, { values: {}, done: 0, of: null });
    const kept = weighed.get(key);
    while (!kept.asking && kept.done !== kept.of && this.isAbout(number, agent)) {
      const path = `/api/games/${this.page.id}/weighed?agent=${encodeURIComponent(agent)}&at=${number}&first=${kept.done}`;
      kept.asking = true;
      const what = kept.of ? `what decisions are worth, ${kept.done} of ${kept.of} so far` : "what decisions are worth";
      const part = await attempt(() => this.thinking.think(agent, what, (signal) => request(path, { signal }), () => this.isAbout(number, agent)));
      kept.asking = false;
      if (!part || weighed !== this.weighed) return;
      Object.assign(kept.values, part.values);
      [kept.done, kept.of] = [part.weighed, part.of];
      if (this.isAbout(number, agent) && this.current.found) this.show();
    }
  }

  isAbout(number, agent) {
    return this.current?.view.number === number && this.current.agents.includes(agent);
  }

  // What an agent said of each decision: {share, value}.
  told(agent, view, estimate) {
    const values = this.weighed.get(`${agent} ${view.number}`)?.values ?? {};
    const said = new Map((estimate?.likeliest ?? []).map(([text, share, value]) => [text, { share, value: value ?? values[text] ?? null }]));
    for (const [text, value] of Object.entries(values)) if (!said.has(text)) said.set(text, { share: 0, value });
    return said;
  }

  async at(agent, number) {
    const key = `${agent} ${number}`, known = this.known;
    if (!known.has(key)) {
      known.set(key, this.ask(agent, number, number + 1, () => this.isAbout(number, agent)).then(({ positions }) => positions[0]));
      known.get(key).catch(() => known.delete(key));
    }
    return known.get(key);
  }

  // Positions that an agent is asked about.
  ask(agent, first, last, needed) {
    const path = `/api/games/${this.page.id}/estimates?agent=${encodeURIComponent(agent)}&first=${first}&last=${last}`;
    return this.thinking.think(agent, "", (signal) => request(path, { signal }), needed);
  }

  show() {
    const { view, agents, found } = this.current;
    const singles = view.choices.filter((choice) => choice.texts.length === 1);
    const shares = agents.map((agent, n) => this.told(agent, view, found[n]?.estimate));
    const decided = this.page.moves[view.number]?.text;
    const seats = this.page.seats;
    const rows = singles.filter((choice) => choice.texts[0] === decided || shares.some((map) => map.has(choice.texts[0])));
    const share = (choice, n = 0) => shares[n]?.get(choice.texts[0])?.share ?? 0;
    const value = (choice) => shares[0]?.get(choice.texts[0])?.value ?? 0;
    rows.sort((a, b) => share(b) - share(a) || share(b, 1) - share(a, 1) || value(b) - value(a));
    const shown = this.every ? rows : rows.filter((choice, n) => n < LIKELIEST || choice.texts[0] === decided);
    const values = agents.map((agent, n) => element("p", {}, element("b", {}, agent), " ",
      found[n]?.estimate ? found[n].estimate.value === null ? "has no opinion on the win"
        : givesOf(found[n].estimate, seats, view.seat) : "says nothing here"));
    exchange(this.table, ...values, element("table", {},
      element("thead", {}, element("tr", {}, element("th", {}, "decision"),
        agents.flatMap((agent) => [element("th", {}, agent), element("th", {}, "win")]))),
      element("tbody", {}, shown.map((choice) => this.row(choice, view.number, shares, decided, seats)))),
    rows.length > shown.length || this.every ? button(this.every ? "Only the likeliest" : `All ${rows.length} decisions`, () => {
      this.every = !this.every;
      if (this.current?.found) this.show();
    }, { class: "small" }) : "");
    const best = rows[0];
    this.page.board.heat(rows.map((choice) => ({ things: choice.things, share: share(choice), best: choice === best })));
  }

  row(choice, number, shares, decided, seats) {
    const text = choice.texts[0];
    const cells = shares.flatMap((map) => {
      const one = map.get(text) ?? { share: 0, value: null };
      const bar = element("i", { class: "bar" });
      bar.style.width = `${Math.round(100 * one.share)}%`;
      return [element("td", { class: "share" }, bar, percent(one.share)), element("td", {}, percent(one.value))];
    });
    return element("tr", { class: text === decided ? "decided" : "", "data-text": text,
      onpointerenter: () => this.page.board.hint(choice.things), onpointerleave: () => this.page.board.hint([]) },
      element("td", {}, button(capital(named(choice.words, seats)), (event) => !isRepeated(event) && this.page.active && this.page.number === number && this.page.choose(choice),
        { class: "link", title: this.page.study ? "try this" : "decide this",
          onfocus: () => this.page.board.hint(choice.things), onblur: () => this.page.board.hint([]) }), text === decided ? element("small", {}, " decided") : null),
      cells);
  }

  // One search through the game at a time; the buttons for another wait, also that of the end of the game.
  async alone(search) {
    if (this.searching) return;
    this.stopped = false;
    this.wait(true);
    try {
      await search();
    } finally {
      this.wait(false);
    }
  }

  stop() {
    this.stopped = true;
    this.thinking.review();
  }

  wait(searching) {
    this.searching = searching;
    this.stops.hidden = !searching;
    for (const one of [this.runs, this.finds, document.getElementById("look-back")]) if (one) one.disabled = searching;
  }

  // The estimate over the whole game, a part at a time; what was asked before comes at once.
  async whole() {
    const { page } = this;
    const agent = this.agent, last = page.moves.length;
    let done = true, first = 0, part = AT_ONCE.first, parts = 0;
    this.runs.textContent = `0 of ${last}`;
    while (first <= last) {
      const begun = performance.now();
      const found = await attempt(() => this.ask(agent, first, Math.min(first + part, last + 1), () => !this.stopped));
      const seconds = (performance.now() - begun) / 1000;
      if (!found) {
        done = false;
        if (this.stopped) await this.draw(agent, first);
        break;
      }
      first += part;
      parts += 1;
      this.runs.textContent = `${Math.min(first, last)} of ${last}`;
      if (first > last || parts % 4 === 1) await this.draw(agent, first);
      if (seconds < 0.5) part = Math.min(2 * part, AT_ONCE.most);
      else if (seconds > 2) part = Math.max(1, Math.floor(part / 2));
    }
    this.runs.textContent = "The whole game";
    return done;
  }

  // From the end of the game, where all of this may be closed and far away.
  async lookBack() {
    this.toggle.open = this.open = true;
    this.thinking.place.scrollIntoView({ block: "center" });
    await this.alone(() => this.mistakes());
  }

  // By the chosen agent, or by one that can judge: nobody should wait for a whole game to hear that this one cannot.
  async mistakes() {
    const { page } = this;
    const found = await attempt(() => this.ask(this.agent, 0, 1, () => !this.stopped));
    if (!found) return;
    if (!valuesDecisions(found.positions[0].estimate)) {
      const [judge] = page.judges;
      note(`${this.agent} gives no values to single decisions${judge ? `; ${judge} judges instead` : ""}`);
      if (!judge) return;
      this.first.value = this.agent = judge;
      this.changed();
      page.refresh();
    }
    if (await this.whole()) this.report.show(this.agent);
  }

  // The curve up to the last of so many positions that the agent was asked about.
  async draw(agent, asked) {
    const found = await attempt(() => request(`/api/games/${this.page.id}/curve?agent=${encodeURIComponent(agent)}`));
    if (!found) return;
    if (asked > found.last && !found.points.length) note(`${agent} has no opinion on the win`);
    this.curve.show({ ...found, chances: found.chances.slice(0, asked), turning: found.turning.filter(({ number }) => number < asked) },
      this.page.seats, this.page.moves);
    this.curve.mark(this.page.number);
  }

  async listBranches() {
    const { page } = this;
    const found = await attempt(() => request(`/api/games/${page.id}/branches`));
    const links = (found?.branches ?? []).map((branch) => element("a", { href: `/game/${branch.id}`, class: "branch" },
      `after decision ${branch.parent_at}: ${branch.words || "as it stands"}`,
      element("span", { class: "soft" }, branch.study ? "" : `, played by ${branch.names.join(", ")}`)));
    if (page.parent) links.unshift(element("a", { href: `/game/${page.parent}`, class: "branch" }, `← branches off after decision ${page.parentAt}`));
    this.branches.replaceChildren(...(links.length ? [element("h3", {}, "Branches"), ...links] : []));
  }
}

// Whether an agent said what any single decision is worth, as those do that search.
function valuesDecisions(estimate) {
  return estimate?.likeliest.some(([, , value]) => value !== null) ?? false;
}

// What an agent gives of the win: every seat its part, or the one that decides.
function givesOf({ value, seats: all }, seats, seat) {
  if (!all) return named(`gives seat ${seat} ${percent(value)} of the win`, seats).replace("gives You", "gives you");
  const parts = wholePercents(all).map((said, n) => `${said}${n ? "" : " of the win"} to ${seats[n].name}`);
  return `gives ${parts.join(", ")}`.replace("to You", "to you");
}

function picker(agents, chosen, pick) {
  const select = element("select", { "aria-label": "agent", onchange: () => pick(select.value) },
    agents.map((name) => element("option", { value: name, selected: name === chosen }, name || "nobody")));
  return select;
}
