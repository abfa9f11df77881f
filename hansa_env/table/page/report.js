// Mistakes: how much of the win the actions of each seat gave away, and the worst of them, to look at and to try again.
import { attempt, button, capital, chip, element, named, note, numberOf, once, percent, request } from "./dom.js";

const strongest = (draw) => Math.max(...draw.seats.map(Math.abs));
const points = (share) => `${share < -0.0005 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}`;

function fill(cells, text, place, words) {
  for (const cell of cells) cell.textContent = text;
  place.textContent = words;
}

export class Report {
  // `thinking` says that the agent thinks.
  constructor(page, thinking) {
    this.page = page;
    this.thinking = thinking;
    this.place = element("div", { class: "report" });
  }

  clear() {
    this.place.replaceChildren();
    this.thinking.review();
  }

  // What an agent that was asked about every position says of the actions.
  async show(agent) {
    const found = await attempt(() => request(`/api/games/${this.page.id}/mistakes?agent=${encodeURIComponent(agent)}`));
    if (!found) return;
    const { seats } = this.page, lucky = element("p", { class: "soft lucky", role: "status" });
    if (!found.seats.some((seat) => seat.judged)) {
      note(`${agent} gives no values to single decisions; rollout, search and tree do`);
      this.clear();
      return;
    }
    const own = this.page.held.length === 1 && !this.page.study ? this.page.held[0] : null;
    const shown = found.seats.map((seat, number) => ({ ...seat, number })).filter(({ number }) => own === null || number === own);
    const worst = shown.flatMap((seat) => seat.worst).sort((a, b) => b.loss - a.loss).slice(0, 5);
    this.place.replaceChildren(
      element("h3", {}, `Mistakes, as ${found.by} judges them`),
      element("p", { class: "soft" }, "Each action is judged from what was known when it was taken. An agent's values are rough: a loss of a few percent may be chance."),
      element("table", {}, element("thead", {}, element("tr", {}, ["seat", "actions", "accuracy", "luck"].map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, found.seats.map((seat, number) => element("tr", {}, element("td", {}, chip(number), ` ${seats[number].name}`),
          element("td", {}, String(seat.judged)), element("td", {}, percent(seat.accuracy)), element("td", { class: "luck" }, "…"))))),
      lucky,
      worst.length ? element("ol", {}, worst.map((one) => this.mistake(one))) : element("p", {}, "No action lost a hundredth of the win."));
    this.thinking.review();
    this.place.scrollIntoView({ block: "start" });
    await Promise.all([this.better(agent, worst), this.luck(agent, lucky)]);  // the agent answers them in turn
  }

  // A question for as long as the page shows what its answer is for.
  ask(agent, what, path, shown) {
    return attempt(() => this.thinking.think(agent, what, (signal) => request(`/api/games/${this.page.id}/${path}`, { signal }), () => shown.isConnected));
  }

  // The better decision as part of a whole action, as the agent would go on after it.
  async better(agent, worst) {
    const { page } = this, places = [...this.place.querySelectorAll(".better")];
    for (const [n, one] of worst.entries()) {
      if (!places[n]?.isConnected) return;  // another report has taken its place
      const asked = new URLSearchParams({ agent, first: one.first, at: one.at, best: one.best });
      const found = await this.ask(agent, `what would have been better, ${n + 1} of ${worst.length}`, `better?${asked}`, places[n]);
      if (!found) return;
      places[n].textContent = capital(named(found.words, page.seats));
    }
  }

  // What the markers of the pile gave or took, draw by draw; by another agent where this one has no opinion on every seat.
  async luck(agent, lucky, before = []) {
    const tried = [...before, agent];
    const { seats, agents } = this.page;
    const together = seats.map(() => 0), cells = [...this.place.querySelectorAll(".luck")];
    let most = null, count = 0, after = 0, stopped = false;
    while (!stopped) {
      const found = await this.ask(agent, "the luck of the markers", `luck?agent=${encodeURIComponent(agent)}&after=${after}`, lucky);
      if (!lucky.isConnected) return;  // another report has taken its place
      const draw = found?.draw;
      if (draw && !draw.seats) {
        const other = found.others.find((name) => !tried.includes(name) && agents.includes(name));
        if (other && !count) return this.luck(other, lucky, tried);
      }
      stopped = !draw?.seats;
      if (stopped && (!found || draw)) return fill(cells, "–", lucky, `${agent} says nothing of the markers' luck.`);
      if (stopped) break;
      [count, after] = [count + 1, draw.after + 1];
      draw.seats.forEach((gained, seat) => { together[seat] += gained; });
      if (!most || strongest(draw) > strongest(most)) most = draw;
      lucky.textContent = `${agent} looks at the markers: ${count} …`;
    }
    cells.forEach((cell, seat) => { cell.textContent = points(together[seat]); });
    lucky.replaceChildren(`Luck: what ${numberOf(count, "drawn marker")} gave or took, seat by seat, in hundredths of the win, as ${agent} judges it. A draw as good as the average counts 0.`);
    if (!most || strongest(most) < 0.005) return;
    const seat = most.seats.findIndex((gained) => Math.abs(gained) === strongest(most));
    lucky.append(` The draw that mattered most: ${most.markers.join(" and ")}, ${points(most.seats[seat])} for ${seats[seat].name}. `,
      button("Look", () => this.page.look(most.after), { class: "small" }));
  }

  mistake(one) {
    const { page } = this, [played, best] = one.words.map((words) => named(words, page.seats));
    return element("li", {},
      element("p", {}, chip(one.seat), element("b", {}, ` −${percent(one.loss)}`), ` ${page.seats[one.seat].name}: ${played}. `,
        "Better: ", element("b", { class: "better" }, capital(best)), "."),
      element("div", { class: "row" }, button("Look", () => page.look(one.at), { class: "small" }),
        button("Try it again from there", once(() => this.again(one)), { class: "small again" })));
  }

  // The same table as it stood before the action; who took it is you, the others are who they were, or agents.
  async again(one) {
    const { page } = this;
    const links = await attempt(() => request(`/api/games/${page.id}/links`));
    if (!links) return;
    const who = page.seats[one.seat];
    const name = ["agent", "study"].includes(who.kind) || who.name === "You" ? "" : who.name;
    const seats = links.proposal.map((seat, number) => number === one.seat ? { kind: "here", name }
      : seat.kind === "agent" ? seat : { kind: "agent", agent: links.rivals[number % links.rivals.length] });
    await page.branchAt(one.first, [], seats, 60);
  }
}
