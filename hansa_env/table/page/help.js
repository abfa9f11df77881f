// The rules by section, in a window; what a thing on the board is for, beside it.
import { attempt, button, element, request } from "./dom.js";

// Which rule tells what a thing is for, by the first word of its name; that of a marker the text of the rules says.
const OF_THING = { post: "R3.2", city: "R5.5", office: "R5.5", extra: "R6.2", space: "R5.9", supply: "R3.2", stock: "R3.1", plate: "R6.7",
  favour: "R12.4", mission: "R11.2", "permanent-marker": "R9.14", province: "R8.1.3", guard: "R8.1.1" };
const OF_ABILITY = { keys: "R7.7", actions: "R2.1", privilege: "R5.5", book: "R3.3", bank: "R3.1" };
export const OF_COLUMN = { track: "R7.2", abilities: "R7.3", markers: "R7.4", "prestige spaces": "R7.5", control: "R7.6", network: "R7.7",
  regions: "R10.16", mission: "R11.2" };
const AFTER = 550;  // milliseconds that one stays on a thing, or presses it

let told, ofMarker = {}, ofGame = {};
function rules() {
  told ??= request("/api/rules").then((found) => {
    ofMarker = found.markers;
    return found.sections;
  }).catch((error) => {
    told = null;  // it is asked for again
    throw error;
  });
  return told;
}

// Rules that are others in the game that is shown: of a kind of marker, a thing, or a rule of the base game.
export function playBy(rules) {
  ofGame = rules;
}

// "**word**" and "`word`" of the text as elements.
function dressed(words) {
  return words.split(/(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/).map((part) => part.startsWith("**") ? element("b", {}, part.slice(2, -2))
    : /^\*[^*]+\*$/.test(part) ? element("em", {}, part.slice(1, -1)) : part.startsWith("`") ? element("code", {}, part.slice(1, -1)) : part);
}

function shown(part) {
  if (!part.rows) return element("p", { "data-rule-id": part.rule }, part.rule ? element("b", { class: "rule-id" }, part.rule, " ") : null, dressed(part.words));
  const [head, ...rows] = part.rows;
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Table" }, element("table", {}, element("tr", {}, head.map((cell) => element(cell ? "th" : "td", {}, dressed(cell)))),
    rows.map((row) => element("tr", {}, row.map((cell) => element("td", {}, dressed(cell)))))));
}

export async function openRules(rule) {
  const sections = await attempt(rules);
  if (!sections) return;
  const parts = sections.map(({ id, title, parts }) => element("section", { id: `rules-${id}` }, element("h3", {}, `${id} ${title}`), parts.map(shown)));
  const text = element("div", { class: "rules-text", tabindex: "0", "aria-label": "Rules" }, parts);
  const nav = element("nav", { "aria-label": "Sections" }, sections.map(({ title }, n) => button(title, () => parts[n].scrollIntoView({ block: "start" }), { class: "link" })));
  const dialog = element("dialog", { class: "rules", "aria-label": "Rules", onclose: () => dialog.remove() },
    element("div", { class: "row" }, element("h2", {}, "Rules"), button("Close", () => dialog.close(), { class: "quiet" })),
    element("div", { class: "rules-body" }, nav, text));
  document.body.append(dialog);
  dialog.showModal();
  const wanted = rule && text.querySelector(`[data-rule-id="${rule}"]`);
  wanted?.scrollIntoView({ block: "center" });
  wanted?.classList.add("wanted");
}

// A kind of marker or a rule: the rules that tell of it in the game that is shown.
const inGame = (name) => ofGame[name] ?? (name ? [ofMarker[name] ?? name] : []);

// The rules of a thing, none where it has no rule, and its element.
function rulesOf(target) {
  const part = target.closest?.("[data-rule], [data-thing]");
  if (!part) return [[], null];
  if (part.dataset.rule) return [inGame(part.dataset.rule), part];
  const [kind, ...rest] = part.dataset.thing.split(" ");
  const title = part.querySelector("title")?.textContent.split(" ") ?? [];
  const named = { ability: OF_ABILITY[rest[1]], marker: rest[1], used: rest[1], "route-marker": title[1], token: title[0] }[kind] ?? OF_THING[kind];
  return [ofGame[`${kind} ${rest[0]}`] ?? inGame(named), part];
}

// What a rule says of a thing: where a table follows that says it of each, its row.
function wordsOf(parts, rule, thing) {
  const at = parts.findIndex((one) => one.rule === rule);
  const { words } = parts[at];
  const row = words.endsWith(":") && parts[at + 1]?.rows?.find(([name]) => name === `\`${thing}\``);
  return row ? `${words} ${row.at(-1)}` : words;
}

// Tooltips with the rule of a thing: where a mouse rests, where a finger presses long, at the key "?".
export class Tips {
  constructor() {
    this.tip = element("div", { class: "tip", role: "tooltip", id: "tip", hidden: true });
    document.body.append(this.tip);
    rules().catch(() => {});
    document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.soon(event));
    document.addEventListener("pointerdown", (event) => {
      this.pressed = false;  // where no click came after a long press
      if (event.target.closest?.(".tip")) return;  // its button is about to be pressed
      this.hide();
      if (event.pointerType !== "mouse") this.soon(event);
    });
    for (const name of ["pointerup", "pointercancel", "scroll"]) document.addEventListener(name, () => clearTimeout(this.clock), true);
    document.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse" && Math.hypot(event.movementX, event.movementY) > 4) clearTimeout(this.clock);
    });
    document.addEventListener("click", (event) => {
      if (!this.pressed) return;
      this.pressed = false;  // a long press asks, it decides nothing
      event.stopPropagation();
      event.preventDefault();
    }, true);
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
      if (event.key !== "?" || event.target.closest("input, select, textarea, dialog")) return;
      const [[rule]] = rulesOf(document.activeElement);
      if (rule) this.show(document.activeElement);
      else openRules();
    });
  }

  soon(event) {
    clearTimeout(this.clock);
    const [[rule]] = rulesOf(event.target);
    if (event.target.closest?.(".tip")) return;
    if (!rule) this.hide();
    else {
      this.clock = setTimeout(() => {
        this.pressed = event.pointerType !== "mouse";
        this.show(event.target);
      }, AFTER);
    }
  }

  async show(target) {
    const parts = (await rules()).flatMap((section) => section.parts);
    const [told, part] = rulesOf(target);
    if (!told.length || !part.isConnected) return;
    const thing = part.dataset.thing?.split(" ").at(-1);
    const title = part.dataset.rule ? "" : part.querySelector("title")?.textContent ?? "";
    this.tip.replaceChildren(title ? element("b", {}, title) : "",
      ...told.flatMap((rule) => [element("p", {}, dressed(wordsOf(parts, rule, thing))),
        button(`Rule ${rule}`, () => { this.hide(); openRules(rule); }, { class: "link" })]));
    this.tip.hidden = false;
    const box = part.getBoundingClientRect(), own = this.tip.getBoundingClientRect();
    this.tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - own.width - 8))}px`;
    this.tip.style.top = `${box.bottom + own.height + 8 < innerHeight ? box.bottom + 6 : Math.max(8, box.top - own.height - 6)}px`;
    this.part?.removeAttribute("aria-describedby");
    this.part = part;
    part.setAttribute("aria-describedby", "tip");
  }

  hide() {
    clearTimeout(this.clock);
    this.tip.hidden = true;
    this.part?.removeAttribute("aria-describedby");
  }
}
