"use strict";
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
let game, step = 0, groups = new Map(), drawn = new Map(), timer = null, marked = null;

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const badge = (seat) => `<span class="seat" style="background:${DATA.seats[seat][0]};color:${DATA.seats[seat][1]}">${seat}</span>`;

/*shares*/

const count = () => game.moves.length;

/* The theme: that of the system until the button is used. */
const system = matchMedia("(prefers-color-scheme: dark)");
let theme = new URLSearchParams(location.search).get("theme");
function paint() {
  const now = theme || (system.matches ? "dark" : "light");
  document.documentElement.dataset.theme = now;
  for (const svg of document.querySelectorAll("svg.hansa")) svg.setAttribute("class", `hansa hansa-${now}`);
}
system.addEventListener("change", paint);
$("theme").onclick = () => { theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark"; paint(); };

/* A game. */
function open(number, at) {
  game = DATA.games[number];
  stop();
  groups = new Map();
  drawn = new Map();
  for (const place of ["heading", "map", "track", "desks"]) $(place).replaceChildren();
  for (const [name, width, height, parts] of game.panels) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("class", "hansa");
    svg.dataset.panel = name;
    for (const part of parts) {
      const group = svg.appendChild(document.createElementNS(SVG, "g"));
      group.dataset.part = part;
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
  paint();
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
  for (const line of document.querySelectorAll(".now")) {
    const x = line.dataset.left * 1 + (line.dataset.width * step) / Math.max(1, count());
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }
  think();
  if (game.chances) $("win-key").innerHTML = wholePercents(game.chances[step]).map((said, seat) => `<span>${badge(seat)} ${said}</span>`).join("");
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
for (const button of document.querySelectorAll("[data-go]")) button.onclick = () => move(button.dataset.go);
$("play").onclick = play;
$("speed").onchange = () => { if (timer) { stop(); play(); } };
$("slider").oninput = () => { stop(); show(Number($("slider").value)); };
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", PageUp: "turn-back", PageDown: "turn-on" };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT" || event.target.matches(".wide")) return;
  if (KEYS[event.key]) move(KEYS[event.key]);
  else if (event.key === " " && event.target.tagName !== "BUTTON") play();
  else if (event.key === "d") $("theme").click();
  else return;
  event.preventDefault();
});

/* The decisions in words, by turn. */
function list() {
  const parts = [];
  for (const [number, active, first, last] of game.turns) {
    parts.push(`<h3>${badge(active)} Turn ${number} · ${escaped(game.agents[active])}</h3><ol>`);
    for (let i = first; i < last; i++) {
      const [, , seat, words, on] = game.moves[i];
      const who = seat === active ? "" : `${badge(seat)} `;
      parts.push(`<li><button type="button" data-step="${i + 1}" class="${on ? "on" : ""}">${who}${escaped(words)}</button></li>`);
    }
    parts.push("</ol>");
  }
  $("list").innerHTML = parts.join("");
}
$("list").onclick = (event) => {
  const button = event.target.closest("[data-step]");
  if (button) { stop(); show(Number(button.dataset.step)); }
};

/* What the agent that decides next thought; the elements that a decision concerns are marked while the pointer is on it. */
function think() {
  if (!game.estimates) return;
  const estimate = game.estimates[step];
  if (!estimate) {
    const why = step === count() ? "The game has no further decision." : "Of this decision no estimate was kept.";
    $("thought").innerHTML = `<div>${why}</div>`;
    return;
  }
  const value = estimate.value === null ? "thought" : `expected ${percent(estimate.value)} of the win`;
  const rows = estimate.likeliest.map(([words, share, after, , played], i) =>
    `<div class="choice${played ? " played" : ""}" data-choice="${i}"><b>${percent(share)}</b><span class="bar"><i style="width:${100 * share}%"></i></span>` +
    `<span>${escaped(words)}${played ? " <small>(played)</small>" : ""}</span><small>${after === null ? "" : `then ${percent(after)}`}</small></div>`);
  $("thought").innerHTML = `<div>${badge(estimate.seat)} ${escaped(game.agents[estimate.seat])} was to decide; ${escaped(estimate.by)} ${value}:</div>${rows.join("")}`;
}
function hint(event) {
  for (const element of document.querySelectorAll(".hint")) element.classList.remove("hint");
  const row = event.type === "mouseover" && event.target.closest("[data-choice]");
  if (!row) return;
  for (const name of game.estimates[step].likeliest[row.dataset.choice][3])
    document.querySelector(`[data-thing="${name}"]`)?.classList.add("hint");
}
$("thought").onmouseover = $("thought").onmouseout = hint;

/* Charts: x is the step, everywhere the same way. */
const WIDTH = 360, HEIGHT = 150, LEFT = 36, BOTTOM = 19;
const across = (i, width) => LEFT + (i / Math.max(1, count())) * (width - LEFT - 4);
function frame(width, height, most, label, inside) {
  const lines = [0, 0.5, 1].map((share) => {
    const y = (height - BOTTOM) - share * (height - BOTTOM - 8);
    return `<line class="grid" x1="${LEFT}" x2="${width - 4}" y1="${y}" y2="${y}"/><text x="${LEFT - 5}" y="${y + 4}" text-anchor="end">${label(share * most)}</text>`;
  });
  return `<svg class="chart" viewBox="0 0 ${width} ${height}" data-width="${width}">${lines.join("")}${inside}` +
    `<text x="${width - 4}" y="${height - 3}" text-anchor="end">${count()} decisions</text>` +
    `<line class="now" data-left="${LEFT}" data-width="${width - LEFT - 4}" y1="4" y2="${height - BOTTOM}"/></svg>`;
}
function charts() {
  const names = game.columns.slice(0, -1);
  $("legend").innerHTML = names.map((name, i) => `<span><i style="background:${DATA.categories[i]}"></i>${name.replace("_", " ")}</span>`).join("");
  const most = Math.max(10, ...game.points.flat().map((row) => row.at(-1)));
  const top = 10 * Math.ceil(most / 10), y = (points) => (HEIGHT - BOTTOM) - (points / top) * (HEIGHT - BOTTOM - 8);
  $("charts").innerHTML = game.agents.map((agent, seat) => {
    const below = new Array(count() + 1).fill(0);
    const areas = names.map((name, column) => {
      const down = below.map((value, i) => `${across(i, WIDTH).toFixed(1)},${y(value).toFixed(1)}`).reverse();
      game.points.forEach((rows, i) => { below[i] += rows[seat][column]; });
      const up = below.map((value, i) => `${across(i, WIDTH).toFixed(1)},${y(value).toFixed(1)}`);
      return `<polygon points="${up.concat(down).join(" ")}" fill="${DATA.categories[column]}"><title>${name.replace("_", " ")}</title></polygon>`;
    });
    return `<figure><figcaption>${badge(seat)} ${escaped(agent)}</figcaption>${frame(WIDTH, HEIGHT, top, Math.round, areas.join(""))}</figure>`;
  }).join("");
  if (!game.chances) return;
  const wide = innerWidth < 600 ? 400 : 900, high = 190, line = (value) => (high - BOTTOM) - value * (high - BOTTOM - 8);
  const lines = game.agents.map((_, seat) => {
    const points = game.chances.map((shares, i) => `${across(i, wide).toFixed(1)},${line(shares[seat]).toFixed(1)}`);
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${DATA.seats[seat][0]}" stroke-width="2.2"/>`;
  });
  $("win-chart").innerHTML = frame(wide, high, 1, percent, lines.join(""));
}
for (const id of ["charts", "win-chart"]) $(id).onclick = (event) => {
  const svg = event.target.closest("svg");
  if (!svg) return;
  const box = svg.getBoundingClientRect(), x = ((event.clientX - box.left) / box.width) * svg.dataset.width;
  stop();
  show(Math.round(((x - LEFT) / (svg.dataset.width - LEFT - 4)) * count()));
};

/* How it ended. */
function table() {
  const { over, ending, places } = game.result;
  $("final-title").textContent = over ? `Final scores (${ending})` : "Scores as the board stands; the game is not finished";
  const head = ["seat", "agent", ...game.columns.map((name) => name.replace("_", " ")), "place"];
  const order = places.map((_, seat) => seat).sort((a, b) => places[a] - places[b] || a - b);
  const rows = order.map((seat) => {
    const cells = [badge(seat), escaped(game.agents[seat]), ...game.points.at(-1)[seat], places[seat]];
    return `<tr class="${over && places[seat] === 1 ? "wins" : ""}">${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  $("table").innerHTML = `<thead><tr>${head.map((name) => `<th>${name}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody>`;
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
choice.innerHTML = DATA.games.map((one, i) => `<option value="${i}">${escaped(one.name)}</option>`).join("");
choice.hidden = DATA.games.length < 2;
choice.onchange = () => open(Number(choice.value), 0);
const [, number, first] = /^#(?:(\d+)\/)?(\d+)$/.exec(location.hash) || [null, "1", "0"];
choice.value = Math.min(DATA.games.length, Math.max(1, Number(number || 1))) - 1;
open(Number(choice.value), Number(first));
