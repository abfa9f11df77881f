// Small helpers: elements, requests to the server, notes to the person, shares in words.
import { element } from "./elements.js";
export { button, chip, element, shape } from "./elements.js";
export { percent, wholePercents } from "./shares.js";

// Whether a key is for the page, and not for a field, a window or the browser.
export function isForPage(event) {
  return !event.target.closest("input, select, textarea, dialog, .menu") && !event.altKey && !event.ctrlKey && !event.metaKey;
}

// The token of a guest's or a watcher's link stands behind the #, where no server sees it in its log.
export const token = new URLSearchParams(location.hash.slice(1)).get("token");

// `signal` gives it up, which `attempt` does not speak of. `raw` is for what is kept as it came: numbers here have 53 bits, seeds 64.
export async function request(path, { method, body, text, signal, raw } = {}) {
  const url = new URL(path, location.origin);
  if (token) url.searchParams.set("token", token);
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
  let answer;
  try {
    answer = await fetch(url, { method: method ?? (payload === undefined ? "GET" : "POST"), body: payload, signal });
  } catch {
    signal?.throwIfAborted();
    throw new Error("the server does not answer; is hansa table still running?");
  }
  const found = await (raw && answer.ok ? answer.text() : answer.json()).catch(() => ({ error: `the server answered ${answer.status}` }));
  signal?.throwIfAborted();
  if (!answer.ok) throw Object.assign(new Error(found.error), { status: answer.status, found });
  return found;
}

export function note(words, kind = "") {
  const place = document.getElementById("notes");
  if (place.lastElementChild?.textContent === words) return;  // said already
  const shown = element("div", { class: `note ${kind}` }, words);
  place.append(shown);
  setTimeout(() => shown.remove(), kind === "bad" ? 7000 : 3500);
}

// Asks for a new game and goes there; what is clicked on the way asks for nothing more.
let leaving = false;
window.addEventListener("pageshow", () => { leaving = false; });
export async function goToNew(path, options, hash = "") {
  if (leaving) return;
  leaving = true;
  const made = await attempt(() => request(path, options));
  if (made) location.href = `/game/${made.id}${hash}`;
  else leaving = false;
}

// Puts other children into a place. The keyboard stays at what has the same data-text there, else it goes to the first button;
// where there is none, the answer is true: it has to go elsewhere.
export function exchange(place, ...children) {
  const held = place.contains(document.activeElement) && (document.activeElement.closest("[data-text]")?.dataset.text ?? "");
  place.replaceChildren(...children);
  if (held === false) return false;
  const same = held && place.querySelector(`[data-text="${CSS.escape(held)}"] button`);
  const next = same || place.querySelector("button");
  next?.focus({ preventScroll: true });
  return !next;
}

// Copies what is in a field. Browsers have a clipboard for pages by https or from this machine only; for others there is the older way.
export async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
}

// An action that is not begun again before its end.
export function once(action) {
  let lasts = false;
  return async () => {
    if (lasts) return;
    lasts = true;
    try {
      await action();
    } finally {
      lasts = false;
    }
  };
}

// Whether this is a further click of a double click, or a key held down: the first may have brought another question.
// Quick taps of a finger are not: who plays by touch answers one question after the other at the same place.
export function isRepeated(event) {
  return (event.detail > 1 && event.pointerType !== "touch") || event.repeat === true;
}

// Carries something out that may be refused, and says why if it is; nothing where it was given up.
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    if (error.name !== "AbortError") note(error.message, "bad");
    return undefined;
  }
}

// Tries until it succeeds, or until nobody wants it any more: then undefined. Only the first failure is told.
export async function persist(action, isWanted = () => true) {
  for (let wait = 500, told = false; isWanted(); wait = Math.min(2 * wait, 8000)) {
    try {
      return await action();
    } catch (error) {
      if (!isWanted()) return undefined;
      if (!told) note(error.message, "bad");
      told = true;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return undefined;
}

// "1 decision", "2 decisions".
export function numberOf(count, thing) {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

// The style knows how high a card is that covers the foot of a narrow page.
export function asSheet(place) {
  new ResizeObserver(() => document.body.style.setProperty("--sheet", `${place.offsetHeight}px`)).observe(place);
}

export function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// Seats are told by name: "the trader of seat 1" → "the trader of greedy", or "your trader".
export function named(words, seats) {
  return words.replace(/\b[Ss]eat (\d)\b/g, (all, seat) => seats[Number(seat)]?.name ?? all)
    .replace(/\bthe (\w+) of You\b/g, "your $1").replace(/\bYou has\b/g, "You have").replace(/\b(to|of|with) You\b/g, "$1 you");
}

// A decision as it is told of who took it: "places a trader on …", or of you "place a trader on …"; a piece of theirs is "its own".
function told(move, seats) {
  if (seats[move.seat].name === "You") return named(move.words, seats);
  return named(move.told.replace(new RegExp(`\\bthe (\\w+) of seat ${move.seat}\\b`, "g"), "its own $1"), seats);
}

// Decisions and what followed them, each as it is told behind the one before: whoever is meant is named where that is another
// than before, first than `who`.
export function toldInARow(parts, who, seats) {
  return parts.map((part) => {
    const name = part.seat === who || part.goes_on ? "" : `${within(seats[part.seat])} `;
    if (!part.goes_on) who = part.seat;
    return `${name}${told(part, seats)}`;
  });
}

// What stands between a decision and the one before.
export function joint(part) {
  return part.goes_on ? " " : "; ";
}

// A decision, and what followed it by itself, each to be told.
export function withThen(move) {
  return [move, ...move.then.map((one) => ({ active: move.active, ...one }))];
}

// The name of a seat within a sentence.
export function within(seat) {
  return seat.name === "You" ? "you" : seat.name;
}

// A claim first, for which one has filled the route; a trader before a merchant, as it is what one mostly wants to spend.
export function wantedFirst(choices) {
  const late = ({ texts }) => (texts[0].startsWith("claim ") ? 0 : /\bmerchant\b/.test(texts.join(" ")) ? 2 : 1);
  return [...choices].sort((a, b) => late(a) - late(b));
}

// What a decision costs, beside its words.
export function cost(choice, seats) {
  return choice.cost ? element("small", { class: "cost" }, named(choice.cost, seats)) : null;
}
