// Everything within a few keys: "/" opens a list of places and decisions, which letters make shorter.
import { button, capital, cost, element, named, wantedFirst } from "./dom.js";

const MOST = 12;

// Letters without their dots and accents, small.
function plain(words) {
  return words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

// `places`: [{name, told, things}]; `choices` as of a view. Resolves when it is closed.
export function openFind({ places, choices, seats, choose, hint }) {
  const entries = [
    ...wantedFirst(choices).map((choice) => ({ name: capital(named(choice.words, seats)), told: cost(choice, seats), things: choice.things, go: () => choose(choice) })),
    ...places.map((place) => ({ ...place, told: element("small", { class: "cost" }, place.told), go: null })),
  ].map((entry) => ({ ...entry, plain: plain(entry.name) }));
  const list = element("div", { class: "found", role: "listbox", "aria-label": "What was found", id: "found" });
  const input = element("input", { type: "text", id: "find", placeholder: "a city, a route, a decision", autocomplete: "off", role: "combobox",
    "aria-expanded": "true", "aria-controls": "found", "aria-label": "Find a place or a decision" });
  const told = element("p", { class: "soft", role: "status" });
  const dialog = element("dialog", { class: "find", "aria-label": "Find", onclose: () => { hint([]); dialog.remove(); } },
    element("h2", {}, "Find"), input, told, list, element("div", { class: "row end" }, button("Close", () => dialog.close(), { class: "quiet" })));
  let at = 0, shown = [];
  const draw = () => {
    const words = plain(input.value).split(/[^\p{L}\p{N}+]+/u).filter(Boolean);
    const all = entries.filter((entry) => words.every((word) => entry.plain.split(/[^\p{L}\p{N}+]+/u).some((part) => part.startsWith(word))));
    shown = all.slice(0, MOST);
    at = Math.min(at, Math.max(0, shown.length - 1));
    told.textContent = all.length > MOST ? `${all.length} found; the first ${MOST}` : `${all.length} found`;
    list.replaceChildren(...shown.map((entry, n) => element("div", { role: "option", id: `found-${n}`, class: "option", "aria-selected": String(n === at), onclick: () => take(entry) },
      entry.name, entry.told)));
    if (shown.length) input.setAttribute("aria-activedescendant", `found-${at}`);
    else input.removeAttribute("aria-activedescendant");
    hint(shown[at]?.things ?? []);
  };
  const take = (entry) => {
    dialog.close();
    if (entry.go) entry.go();
    else hint(entry.things);
  };
  input.addEventListener("input", () => { at = 0; draw(); });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) at = (at + step + shown.length) % Math.max(1, shown.length);
    else if (event.key === "Enter" && shown[at]) return take(shown[at]);
    else return undefined;
    event.preventDefault();
    return draw();
  });
  document.body.append(dialog);
  draw();
  dialog.showModal();
  input.focus();
}
