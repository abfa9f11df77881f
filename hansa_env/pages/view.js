// The page of `hansa view`: games decision by decision. `hansa_env.pages.view` puts what is imported before it, into one script.
import { Chart, WinChart } from "./common/chart.js";
import { button, chip, element, shape } from "./common/elements.js";
import { percent } from "./common/shares.js";
import { applyTheme, toggleTheme } from "./common/theme.js";

const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
let game, step = 0, groups = new Map(), drawn = new Map(), timer = null, marked = null, shown = [];

const count = () => game.moves.length;

$("theme").onclick = toggleTheme;

/* A game. */
function open(number, at) {
  game = DATA.games[number];
  stop();
  groups = new Map();
  drawn = new Map();
  for (const place of ["heading", "map", "track", "desks"]) $(place).replaceChildren();
  for (const [name, width, height, parts] of game.panels) {
    const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, class: "hansa", "data-panel": name });
    for (const part of parts) {
      const group = svg.appendChild(shape("g", { "data-part": part }));
      groups.set(`${name}|${part}`, group);
    }
    const place = name.split("-")[0];
    $(place in { heading: 1, map: 1, track: 1 } ? place : "desks").append(svg);
  }
  $("about").textContent = `${game.title} · ${game.agents.join(", ")}`;
  $("slider").max = count();
  list();
  charts();
  table();
  $("thoughts").hidden = !game.estimates;
  $("wins").hidden = !game.chances;
  applyTheme();
  fit();
  show(at);
}

/* What stands in a part at a step: the last that was told up to it. */
function at(told, step) {
  let low = 0, high = told.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (told[middle][0] <= step) low = middle; else high = middle - 1;
  }
  return told[low][1];
}

function show(to) {
  step = Math.max(0, Math.min(count(), to));
  for (const [name, group] of groups) {
    const string = at(game.parts[name], step);
    if (drawn.get(name) !== string) { group.innerHTML = game.strings[string]; drawn.set(name, string); }
  }
  $("slider").value = step;
  const turn = game.turns.find(([, , first, last]) => step > first && step <= last);
  $("where").textContent = `decision ${step} of ${count()}` + (turn ? ` · turn ${turn[0]}` : "");
  if (marked) marked.removeAttribute("aria-current");
  marked = $("list").querySelector(`[data-step="${step}"]`);
  if (marked) {
    marked.setAttribute("aria-current", "step");
    const box = $("list"), top = marked.offsetTop - box.clientHeight / 2;
    if (marked.offsetTop < box.scrollTop + 40 || marked.offsetTop > box.scrollTop + box.clientHeight - 40) box.scrollTop = top;
  } else $("list").scrollTop = 0;
  for (const chart of shown) chart.mark(step);
  think();
  clearTimeout(naming);
  naming = setTimeout(name, 400);
}

/* The address names the step, so that a reload comes back to it; browsers allow only so many changes in a while. */
let naming = null;
function name() {
  history.replaceState(null, "", `#${DATA.games.length > 1 ? `${DATA.games.indexOf(game) + 1}/` : ""}${step}`);
}

/* Going about. */
const go = {
  first: () => 0,
  last: () => count(),
  back: () => step - 1,
  forward: () => step + 1,
  "turn-back": () => Math.max(0, ...game.turns.map(([, , first]) => first).filter((first) => first < step)),
  "turn-on": () => Math.min(count(), ...game.turns.map(([, , , last]) => last).filter((last) => last > step)),
};
const move = (name) => { stop(); show(go[name]()); };
function stop() { clearInterval(timer); timer = null; $("play").textContent = "Play"; }
function play() {
  if (timer) return stop();
  if (step >= count()) show(0);
  $("play").textContent = "Pause";
  timer = setInterval(() => (step >= count() ? stop() : show(step + 1)), Number($("speed").value));
}
for (const way of document.querySelectorAll("[data-go]")) way.onclick = () => move(way.dataset.go);
$("play").onclick = play;
$("speed").onchange = () => { if (timer) { stop(); play(); } };
$("slider").oninput = () => { stop(); show(Number($("slider").value)); };
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", PageUp: "turn-back", PageDown: "turn-on" };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT" || event.target.matches(".wide")) return;
  if (KEYS[event.key]) move(KEYS[event.key]);
  else if (event.key === " " && event.target.tagName !== "BUTTON") play();
  else if (event.key === "d") toggleTheme();
  else return;
  event.preventDefault();
});

/* The decisions in words, by turn. */
function list() {
  $("list").replaceChildren(...game.turns.flatMap(([number, active, first, last]) => [
    element("h3", {}, chip(active), ` Turn ${number} · ${game.agents[active]}`),
    element("ol", {}, game.moves.slice(first, last).map(([, , seat, words, on], n) => element("li", {},
      button(seat === active ? words : [chip(seat), ` ${words}`], () => goTo(first + n + 1), { "data-step": String(first + n + 1), class: on ? "on" : "" })))),
  ]));
}
function goTo(number) {
  stop();
  show(number);
}

/* What the agent that decides next thought; the elements that a decision concerns are marked while the pointer is on it. */
function think() {
  if (!game.estimates) return;
  const estimate = game.estimates[step];
  if (!estimate) {
    $("thought").textContent = step === count() ? "The game has no further decision." : "Of this decision no estimate was kept.";
    return;
  }
  const value = estimate.value === null ? "thought" : `expected ${percent(estimate.value)} of the win`;
  const rows = estimate.likeliest.map(([words, share, after, things, played]) => {
    const bar = element("i");
    bar.style.width = `${100 * share}%`;
    return element("div", { class: `choice${played ? " played" : ""}`, onmouseenter: () => hint(things), onmouseleave: () => hint([]) },
      element("b", {}, percent(share)), element("span", { class: "bar" }, bar),
      element("span", {}, words, played && element("small", {}, " (played)")), element("small", {}, after === null ? "" : `then ${percent(after)}`));
  });
  $("thought").replaceChildren(element("div", {}, chip(estimate.seat), ` ${game.agents[estimate.seat]} was to decide; ${estimate.by} ${value}:`), ...rows);
}
function hint(things) {
  for (const part of document.querySelectorAll(".hint")) part.classList.remove("hint");
  for (const name of things) document.querySelector(`[data-thing="${name}"]`)?.classList.add("hint");
}

/* Points by what they are for, one upon the other, and the win. */
function charts() {
  const names = game.columns.slice(0, -1).map((name) => name.replace("_", " "));
  const colours = DATA.categories;
  $("legend").replaceChildren(...names.map((name, n) => {
    const sign = element("i");
    sign.style.background = colours[n];
    return element("span", {}, sign, name);
  }));
  const most = Math.max(10, ...game.points.flat().map((row) => row.at(-1)));
  shown = [];
  $("charts").replaceChildren(...game.agents.map((agent, seat) => {
    const chart = new Chart({ last: count(), most: 10 * Math.ceil(most / 10), parts: 2, told: Math.round, words: `points of ${agent}`, goTo });
    let below = new Array(count() + 1).fill(0);
    names.forEach((name, column) => {
      const above = below.map((value, number) => value + game.points[number][seat][column]);
      chart.add("polygon", { points: [...chart.points(above), ...chart.points(below).reverse()].join(" "), fill: colours[column] }, shape("title", {}, name));
      below = above;
    });
    shown.push(chart);
    return element("figure", {}, element("figcaption", {}, chip(seat), ` ${agent}`), chart.svg);
  }));
  if (!game.chances) return;
  const wins = new WinChart(game.chances, game.agents, goTo, innerWidth < 600 ? { width: 400, height: 190 } : { width: 900, height: 190 });
  shown.push(wins);
  $("win-chart").replaceChildren(wins.key, wins.chart.svg);
}

/* How it ended. */
function table() {
  const { over, ending, places } = game.result;
  $("final-title").textContent = over ? `Final scores (${ending})` : "Scores as the board stands; the game is not finished";
  const head = ["seat", "agent", ...game.columns.map((name) => name.replace("_", " ")), "place"];
  const order = places.map((_, seat) => seat).sort((a, b) => places[a] - places[b] || a - b);
  const rows = order.map((seat) => {
    const cells = [chip(seat), game.agents[seat], ...game.points.at(-1)[seat].map(String), String(places[seat])];
    return element("tr", { class: over && places[seat] === 1 ? "wins" : "" }, cells.map((cell) => element("td", {}, cell)));
  });
  $("table").replaceChildren(element("thead", {}, element("tr", {}, head.map((name) => element("th", {}, name)))), element("tbody", {}, rows));
}

/* The list is as high as the board beside it; what is wider than its place can be reached and moved by keys. */
function fit() {
  $("decisions").style.height = `${$("board").offsetHeight}px`;
  for (const place of document.querySelectorAll(".wide")) {
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
  }
}
addEventListener("resize", fit);

const choice = $("game");
choice.replaceChildren(...DATA.games.map((one, i) => element("option", { value: String(i) }, one.name)));
choice.hidden = DATA.games.length < 2;
choice.onchange = () => open(Number(choice.value), 0);
const [, number, first] = /^#(?:(\d+)\/)?(\d+)$/.exec(location.hash) || [null, "1", "0"];
choice.value = Math.min(DATA.games.length, Math.max(1, Number(number || 1))) - 1;
open(Number(choice.value), Number(first));
