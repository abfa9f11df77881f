// What the drawing says to those who do not see it: each route and city is a group with its name and what stands there.
import { named } from "./dom.js";

const GROUPS = '[data-thing^="route "], [data-thing^="city "]';

// Gives the groups of a drawing their names.
export function speak(svg, seats) {
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", { map: "Map", track: "Prestige track", scores: "Points" }[svg.dataset.panel] ?? deskOf(svg, seats));
  for (const part of svg.querySelectorAll(GROUPS)) speakOf(part, seats);
}

// Gives a route or a city its name; other things have one only while they can be pressed.
export function speakOf(part, seats) {
  if (!part.matches(GROUPS)) return;
  part.setAttribute("role", "group");
  part.setAttribute("aria-label", told(part, seats));
}

// The places of a map with what stands there: [{name, told, things}].
export function placesOf(svg, seats) {
  return [...svg.querySelectorAll(GROUPS)].map((part) => ({
    name: name(part), told: told(part, seats), things: [part.dataset.thing] }));
}

function deskOf(svg, seats) {
  const seat = svg.dataset.panel?.match(/^desk (\d)$/)?.[1];
  return seat === undefined ? svg.dataset.panel ?? "" : `Desk of ${seats[seat]?.name ?? seat}`;
}

function name(part) {
  const title = part.querySelector(":scope > title")?.textContent ?? "";
  return title.split(/[,:(]/)[0].trim() || part.dataset.thing;
}

function told(part, seats) {
  const title = named(part.querySelector(":scope > title")?.textContent ?? "", seats);
  const counts = new Map();
  for (const place of part.querySelectorAll('[data-thing^="post "], [data-thing^="office "], [data-thing^="extra "]')) {
    const piece = place.querySelector(".piece");
    const owner = piece?.getAttribute("class").match(/\bp([0-4n])\b/)?.[1];
    const kind = piece && (piece.tagName === "rect" ? "trader" : "merchant");
    const whose = owner === "n" ? "the neutral player" : seats[owner]?.name ?? owner;
    const words = piece ? (whose === "You" ? `your ${kind}` : `${kind} of ${whose}`) : place.dataset.thing.startsWith("post") ? "free post" : "free office";
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const marker = part.querySelector('[data-thing^="route-marker"] title')?.textContent;
  return [title, ...[...counts].map(([words, count]) => `${count} × ${words}`), marker].filter(Boolean).join(", ");
}
