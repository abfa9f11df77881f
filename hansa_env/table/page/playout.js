// Is this won? Agents play games out from the position that is looked at; the share of wins of each seat grows on the page.
import { attempt, button, capital, chip, element, once, percent, request } from "./dom.js";
import { seatsForm } from "./seats.js";

const GAMES = ["20", "100", "300", "1000"];
const LOOK_EVERY = 700, RETRY_EVERY = 5000;  // milliseconds

export class PlayOut {
  constructor(page) {
    this.page = page;
    this.place = element("div");
  }

  begin() {
    const { page } = this;
    this.count = element("select", { id: "playout-games", "aria-label": "how many games" },
      GAMES.map((count) => element("option", { value: count, selected: count === "100" }, `${count} games`)));
    this.go = button("Play them out", () => this.start(), { class: "main small", id: "playout-go" });
    this.stop = button("Stop", once(() => this.halt()), { class: "small", id: "playout-stop" });
    this.stop.hidden = true;
    this.form = element("div");
    this.results = element("div", { class: "results" });
    this.told = element("p", { class: "soft", role: "status" });
    this.toggle = element("details", { class: "card playout", ontoggle: () => this.toggle.open && this.open() },
      element("summary", { onclick: () => page.question.folded(!this.toggle.open) }, "Is this won? Play it out"),  // on a phone the question lies over it
      element("p", { class: "soft" }, "Agents play on from this position, many times. Each game deals anew what the deciding player cannot know."),
      this.form, element("div", { class: "row" }, this.count, this.go, this.stop), this.told, this.results);
    this.place.replaceChildren(this.toggle);
  }

  refresh(view) {
    if (!this.toggle) return;
    this.toggle.hidden = !this.page.status.analysis;
    this.go.disabled = view.over || this.running;
  }

  // What was played out before stays known as long as the table is open.
  async open() {
    if (this.seats) return;
    const { page } = this;
    const usual = page.agents.includes("greedy") ? "greedy" : page.agents[0];
    this.seats = seatsForm(page.seats.length, page.agents, page.seats.map((seat) => ({ kind: "agent", agent: seat.agent ?? usual })), []);
    this.form.replaceChildren(this.seats.form);
    const found = await attempt(() => request(`/api/games/${page.id}/playouts`));
    if (found?.playouts.length && !this.running) this.follow(found.playouts[0]);
  }

  async start() {
    const { page } = this;
    const agents = this.seats.value().map((seat) => seat.agent);
    this.go.disabled = true;
    const made = await attempt(() => request(`/api/games/${page.id}/playouts`, { body: { at: page.number, agents, games: Number(this.count.value) } })
      .catch((error) => (error.found?.playout ? error.found : Promise.reject(error))));
    if (made?.id) return this.follow(made);
    this.go.disabled = false;
    if (made) this.offer(made);
  }

  // Those from another position are played first, or stopped.
  offer({ error, playout, game }) {
    const stop = once(async () => {
      if (await attempt(() => request(`/api/playouts/${playout}`, { method: "DELETE" }))) await this.start();
    });
    this.told.replaceChildren(`${capital(error)}. `, button("Stop those", stop, { class: "small", id: "playout-others" }), " ",
      element("a", { href: `/game/${game}` }, "Go there"));
  }

  async halt() {
    const found = await attempt(() => request(`/api/playouts/${this.shown.id}`, { method: "DELETE" }));
    if (found) this.follow(found);
  }

  follow(found, every = LOOK_EVERY) {
    clearTimeout(this.clock);
    this.shown = found;
    this.running = found.running;
    this.stop.hidden = !found.running;
    this.go.disabled = found.running || Boolean(this.page.shown?.over);
    this.draw(found);
    if (!found.running) return;
    this.clock = setTimeout(async () => {
      const next = await attempt(() => request(`/api/playouts/${found.id}`).catch((error) => {
        if (error.status !== 404) throw error;
        return { ...found, running: false };  // the table has forgotten it
      }));
      if (this.shown === found) this.follow(next ?? { ...found }, next ? LOOK_EVERY : RETRY_EVERY);
    }, every);
  }

  draw({ at, games, played, cut_off: cutOff, running, problem, seconds, seats }) {
    const left = running && played ? `, about ${duration((seconds / played) * (games - played))} to go` : "";
    const cut = cutOff ? `; ${cutOff} ended by their length` : "";
    this.told.textContent = `From decision ${at}: ${played} of ${games} games in ${duration(seconds)}${left}${cut}.${problem ? ` Stopped: ${problem}` : ""}`;
    const rows = seats.map((seat, number) => element("tr", { "data-seat": String(number) },
      element("td", {}, chip(number), ` ${this.page.seats[number].name}`, this.page.seats[number].name.replace(/ \(\d\)$/, "") === seat.agent ? null : element("small", { class: "soft" }, ` ${seat.agent}`)),
      element("td", { class: "won" }, played ? percent(seat.share) : "–"),
      element("td", { class: "span" }, range(seat)),
      element("td", { class: "soft between" }, `${Math.round(100 * seat.low)}–${Math.round(100 * seat.high)} %`)));
    this.results.replaceChildren(element("progress", { max: games, value: played, "aria-label": "games played" }),
      element("table", {}, element("tbody", {}, rows)), element("p", { class: "soft" }, "Share of the wins, with 95 % intervals."));
  }
}

function range({ share, low, high }) {
  const bar = element("i"), middle = element("b");
  bar.style.left = `${100 * low}%`;
  bar.style.width = `${100 * (high - low)}%`;
  middle.style.left = `${100 * (share ?? 0)}%`;
  middle.hidden = share === null;
  return element("span", { class: "range", "aria-hidden": "true" }, bar, middle);
}

function duration(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
