// What can be done with a game beside deciding: going through it, taking back, pausing, saving, inviting, branching.
import { attempt, button, copy, element, isRepeated, once, request, token } from "./dom.js";
import { askSeats } from "./seats.js";

const PACES = [["0", "at once"], ["0.25", "fast"], ["0.6", "as people follow"], ["1.5", "slow"], ["4", "very slow"]];

// The tools of a game page. They are made once: where agents decide ten times a second, one that is made anew after each
// decision is gone between the press of a finger and its lifting.
export class Tools {
  constructor(page) {
    this.page = page;
    this.count = element("span", { class: "soft count" });
    const way = (label, title, goal) => button(label, () => page.goTo(goal()), { title, "aria-label": title });
    this.ways = {
      first: way("|◀", "to the beginning (Home)", () => 0),
      back: way("◀", "one decision back (←)", () => page.number - 1),
      on: way("▶", "one decision on (→)", () => page.number + 1),
      last: way("▶|", "to the end (End)", () => null),
    };
    this.pace = element("select", { title: "how fast agents play", "aria-label": "how fast agents play", id: "pace",
      onchange: () => {
        this.pace.blur();  // the keys are the game's again
        page.act({ type: "pace", seconds: Number(this.pace.value) });
      } },
      PACES.map(([value, label]) => element("option", { value }, label)));
    this.pause = button("Pause", () => page.act({ type: "pause", paused: !page.status.paused }), { id: "pause" });
    this.step = button("Step", () => page.act({ type: "step" }), { id: "step" });
    this.paused = element("b", { id: "paused", role: "status" });
    this.pausing = element("span", { class: "steps" }, this.pause, this.step, this.pace);
    this.undo = button("Undo", (event) => isRepeated(event) || page.undo(), { title: "take your last decision back (u)", id: "undo" });
    this.playOn = button("Play on from here", once(() => playOn(page)), { id: "play-on" });
    this.invite = button("Invite", once(() => invite(page)), { id: "invite" });
    const { first, back, on, last } = this.ways;
    first.classList.add("seldom");
    last.classList.add("seldom");
    this.more = button("⋯", () => {
      const open = document.getElementById("tools").classList.toggle("open");
      this.more.setAttribute("aria-expanded", String(open));
    }, { class: "more", id: "more", "aria-label": "more tools", "aria-expanded": "false" });
    this.all = [element("span", { class: "steps" }, first, back, this.count, on, last), this.paused, this.undo, this.more,
      element("span", { class: "steps seldom" }, this.pausing, this.playOn,
        button("Save", once(() => save(page)), { id: "save", title: "as a file that opens again" }), this.invite)];
  }

  // What can be done now; before the first time nothing is shown.
  refresh() {
    const { page, ways } = this;
    const { number, status } = page, last = page.moves.length, running = !status.over;
    const place = document.getElementById("tools");
    if (!place.contains(this.count)) place.replaceChildren(...this.all);
    this.count.textContent = `${number} / ${last}`;
    ways.first.disabled = ways.back.disabled = number === 0;
    ways.on.disabled = ways.last.disabled = number >= last;
    const agentsPlay = running && page.seats.some((seat) => seat.kind === "agent");
    this.paused.textContent = agentsPlay && status.paused ? "Paused" : "";
    this.paused.classList.toggle("unseen", !this.paused.textContent);  // still there, so that it is told
    this.pausing.hidden = !(page.host && agentsPlay);
    this.pause.textContent = status.paused ? "Go on" : "Pause";
    this.step.hidden = !status.paused;
    if (document.activeElement !== this.pace) this.pace.value = nearestPace(status.pace);
    this.undo.hidden = page.study || !page.held.length;
    this.undo.disabled = !page.mayUndo;
    this.playOn.hidden = !(page.host && (page.study || !page.live || !running));
    this.invite.hidden = !page.host;
  }
}

function nearestPace(seconds) {
  const distance = ([value]) => Math.abs(Number(value) - seconds);
  return PACES.reduce((best, pace) => distance(pace) < distance(best) ? pace : best)[0];
}

async function save(page) {
  const text = await attempt(() => request(`/api/games/${page.id}/record`, { raw: true }));
  if (!text) return;
  const file = new Blob([text], { type: "application/json" });
  const link = element("a", { href: URL.createObjectURL(file), download: `hansa-${page.began === "position" ? "position" : "record"}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function playOn(page) {
  const links = await attempt(() => request(`/api/games/${page.id}/links`));
  if (!links) return;
  const wanted = await askSeats(`Play on from decision ${page.number}`, page.seats.length, page.agents, proposal(page, links), { go: "Play" });
  if (wanted) await page.branch([], wanted.seats, wanted.clock);
}

// Who played goes on; where nobody is known, you against the strongest.
function proposal(page, links) {
  if (links.proposal.some((seat) => seat.kind === "agent")) return links.proposal;
  return links.proposal.map((seat, n) => n === page.shown.seat ? { kind: "here", name: seat.name ?? "" }
    : { kind: "agent", agent: links.rivals[n % links.rivals.length] });
}

function isLoopback(host) {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

async function invite(page) {
  const links = await attempt(() => request(`/api/games/${page.id}/links`));
  if (!links) return;
  const guests = Object.entries(links.guests).map(([seat, word]) => [page.seats[seat].name, word]), rows = [...guests, ["To watch", links.watch]];
  const told = element("p", { class: "soft", role: "status" });  // notes lie below the window
  const dialog = element("dialog", { onclose: () => dialog.remove() }, element("h2", {}, "Links"),
    element("p", { class: "soft" }, guests.length
      ? "Each but the last opens one seat: whoever has the link may decide there." : "Whoever has the link may watch."),
    isLoopback(location.hostname) ? element("p", { id: "here-only" }, "These links work on this machine only. For people at others, start "
      + "the table with hansa table --host 0.0.0.0, open the link that it prints for other machines, and invite from there.") : null,
    rows.map(([name, word]) => {
      const link = `${location.origin}/game/${page.id}#token=${word}`;
      const field = element("input", { value: link, readonly: true, onfocus: (event) => event.target.select(), "aria-label": `Link of ${name}` });
      const tell = async () => { told.textContent = await copy(field) ? `The link of ${name} is copied.` : "The link is selected. Copy it by hand, with Ctrl+C."; };
      return element("div", { class: "link-row" }, element("b", {}, name), field, button("Copy", tell));
    }), told,
    element("div", { class: "row end" }, button("Close", () => dialog.close(), { class: "main" })));
  document.body.append(dialog);
  dialog.showModal();
}
