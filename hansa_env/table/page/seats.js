// Who sits where: the form for a new game, and for going on from a position.
import { button, element } from "./dom.js";

const PEOPLE = [["here", "A person here"], ["guest", "A guest, by link"]];

// A form for so many seats. `given` are proposals, [{kind, agent, name}]; `people`: who may sit there beside agents.
export function seatsForm(players, agents, given, people = PEOPLE) {
  const rows = [];
  for (let seat = 0; seat < players; seat++) {
    const proposal = given[seat] ?? { kind: "agent", agent: agents[0] };
    const own = proposal.agent && !agents.includes(proposal.agent) ? [proposal.agent] : [];
    const choice = element("select", { "aria-label": `Seat ${seat}` },
      people.map(([kind, label]) => element("option", { value: kind, selected: proposal.kind === kind }, label)),
      element("optgroup", { label: "Agents" },
        [...agents, ...own].map((name) => element("option", { value: `agent ${name}`, selected: proposal.agent === name }, name)),
        element("option", { value: "agent" }, "another …")));
    const name = element("input", { type: "text", maxlength: "40", placeholder: "name", value: proposal.name ?? "",
      "aria-label": `Name of seat ${seat}` });
    const spec = element("input", { type: "text", maxlength: "200", placeholder: "such as ppo:runs/ppo",
      "aria-label": `Agent of seat ${seat}` });
    const shown = () => {
      name.hidden = choice.value.startsWith("agent");
      spec.hidden = choice.value !== "agent";
    };
    choice.addEventListener("change", shown);
    shown();
    rows.push({ choice, name, spec, row: element("div", { class: "seat-row" },
      element("span", { class: `chip seat${seat}` }, String(seat)), choice, name, spec) });
  }
  const form = element("div", { class: "seats" }, rows.map((row) => row.row));
  const value = () => rows.map(({ choice, name, spec }) => {
    if (!choice.value.startsWith("agent")) return { kind: choice.value, name: name.value.trim() };
    return { kind: "agent", agent: choice.value === "agent" ? spec.value.trim() : choice.value.slice(6) };
  });
  return { form, value };
}

// A window that asks who goes on; resolves to {seats, clock}, or to null where it is closed.
export function askSeats(title, players, agents, given, labels) {
  return new Promise((resolve) => {
    const seats = seatsForm(players, agents, given);
    const clock = clockField();
    const dialog = element("dialog", { "aria-label": title, onclose: () => { dialog.remove(); resolve(null); } },
      element("h2", {}, title), seats.form, element("label", { class: "field" }, "Time for an agent's decision", clock),
      element("div", { class: "row end" },
        button("Cancel", () => dialog.close(), { class: "quiet" }),
        button(labels.go, () => { resolve({ seats: seats.value(), clock: clockOf(clock) }); dialog.close(); }, { class: "main" })));
    document.body.append(dialog);
    dialog.showModal();
  });
}

export function clockField() {
  const times = [["", "as long as it likes"], ["1", "1 second"], ["3", "3 seconds"], ["10", "10 seconds"], ["60", "1 minute"]];
  return element("select", {}, times.map(([value, label]) => element("option", { value, selected: value === "60" }, label)));
}

export function clockOf(field) {
  return field.value ? Number(field.value) : null;
}
