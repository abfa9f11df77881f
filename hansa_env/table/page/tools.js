// What can be done with a game beside deciding: going through it, taking back, pausing, saving, inviting, branching.
import { attempt, button, element, note, request, token } from "./dom.js";
import { askSeats } from "./seats.js";

const PACES = [["0", "at once"], ["0.25", "fast"], ["0.6", "as people follow"], ["1.5", "slow"], ["4", "very slow"]];

// Draws the tools of a game page.
export function toolsOf(page) {
  const tools = document.getElementById("tools");
  const agents = page.seats.some((seat) => seat.kind === "agent");
  const running = !page.status.over;
  const key = JSON.stringify([page.moves.length > 0, page.number, page.moves.length, agents, running, page.status.paused, page.status.pace, page.live,
    page.host, page.seats]);
  if (tools.dataset.key === key) return;
  tools.dataset.key = key;
  tools.replaceChildren(...[
    steps(page),
    page.host && agents && running ? pausing(page) : null,
    page.mayUndo ? button("Undo", () => page.undo(), { title: "take your last decision back (u)",
      id: "undo" }) : null,
    page.host && (page.study || !page.live || !running) ? button("Play on from here", () => playOn(page), { id: "play-on" }) : null,
    button("Save", () => save(page), { id: "save", title: "as a file that opens again" }),
    page.host && page.seats.some((seat) => seat.kind === "guest") ? button("Invite", () => invite(page), { id: "invite" }) : null,
  ].filter(Boolean));
}

function steps(page) {
  const go = (label, title, number, off) => button(label, () => page.goTo(number), { title, "aria-label": title, disabled: off });
  const last = page.moves.length;
  return element("span", { class: "steps" },
    go("|◀", "to the beginning (Home)", 0, page.number === 0), go("◀", "one decision back (←)", page.number - 1, page.number === 0),
    element("span", { class: "soft count" }, `${page.number} / ${last}`),
    go("▶", "one decision on (→)", page.number + 1, page.number >= last), go("▶|", "to the end (End)", null, page.number >= last));
}

function pausing(page) {
  const pace = element("select", { title: "how fast agents play", "aria-label": "how fast agents play", id: "pace",
    onchange: () => page.act({ type: "pace", seconds: Number(pace.value) }) },
    PACES.map(([value, label]) => element("option", { value, selected: Number(value) === page.status.pace }, label)));
  return element("span", { class: "steps" },
    button(page.status.paused ? "Go on" : "Pause", () => page.act({ type: "pause", paused: !page.status.paused }), { id: "pause" }),
    page.status.paused ? button("Step", () => page.act({ type: "step" }), { id: "step" }) : null, pace);
}

async function save(page) {
  const data = await attempt(() => request(`/api/games/${page.id}/record`));
  if (!data) return;
  const file = new Blob([JSON.stringify(data)], { type: "application/json" });
  const link = element("a", { href: URL.createObjectURL(file), download: `hansa-${page.began === "position" ? "position" : "record"}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function playOn(page) {
  const links = await attempt(() => request(`/api/games/${page.id}/links`));
  if (!links) return;
  const wanted = await askSeats(`Play on from decision ${page.number}`, page.seats.length, page.agents, proposal(page, links), { go: "Play" });
  if (wanted) page.branch([], wanted.seats, wanted.clock);
}

// Who played goes on; where nobody is known, you against the strongest.
function proposal(page, links) {
  if (links.proposal.some((seat) => seat.kind === "agent")) return links.proposal;
  return links.proposal.map((seat, n) => n === page.shown.seat || !page.strongest.length ? { kind: "here", name: seat.name ?? "" }
    : { kind: "agent", agent: page.strongest[n % page.strongest.length] });
}

async function invite(page) {
  const links = await attempt(() => request(`/api/games/${page.id}/links`));
  if (!links) return;
  const rows = Object.entries(links.guests).map(([seat, word]) => [page.seats[seat].name, word]).concat([["To watch", links.watch]]);
  const dialog = element("dialog", { onclose: () => dialog.remove() }, element("h2", {}, "Links"),
    element("p", { class: "soft" }, "Each opens one seat. Whoever has the link may decide there."),
    rows.map(([name, word]) => {
      const link = `${location.origin}/game/${page.id}#token=${word}`;
      return element("div", { class: "link-row" }, element("b", {}, name), element("input", { value: link, readonly: true,
        onfocus: (event) => event.target.select(), "aria-label": `Link of ${name}` }),
        button("Copy", () => navigator.clipboard?.writeText(link).then(() => note("copied"))));
    }),
    element("div", { class: "row end" }, button("Close", () => dialog.close(), { class: "main" })));
  document.body.append(dialog);
  dialog.showModal();
}
