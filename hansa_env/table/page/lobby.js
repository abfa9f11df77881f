// The first page: a game at once, another game, a file, and the games there are.
import { attempt, button, capital, element, goToNew, note, numberOf, once, request } from "./dom.js";
import { clockField, clockOf, seatsForm } from "./seats.js";

export async function showLobby(main) {
  let choices;
  try {
    choices = await request("/api/choices");
  } catch (error) {
    main.replaceChildren(element("section", { class: "card notice" }, element("h1", {}, "The table is closed to you"),
      element("p", {}, error.message)));
    return;
  }
  const games = element("div", { class: "games" });
  main.className = "lobby";
  main.replaceChildren(
    element("div", { class: "column" }, quick(choices), puzzles(), file(choices.largest_file)),
    element("div", { class: "column" }, newGame(choices)),
    element("section", { class: "card whole" }, element("h2", {}, "Games"), games));
  await attempt(() => listGames(games));
}

function quick(choices) {
  const [first, second] = choices.rivals[3];
  const levels = choices.levels[3];
  const level = element("select", { id: "level" }, levels.map(({ name, agent, words }, n) =>
    element("option", { value: agent, selected: n === levels.length - 1, title: words }, name)));
  const expected = element("p", { class: "soft", id: "level-words" });
  const tell = () => { expected.textContent = `Three players, and you move first. ${level.selectedOptions[0].label}: ${levels[level.selectedIndex].words}.`; };
  level.addEventListener("change", tell);
  tell();
  const agent = (name) => ({ kind: "agent", agent: name });
  const guided = () => goToNew("/api/games",
    { body: { players: 3, seats: [{ kind: "here" }, agent("random"), agent("random")], clock: 60, pace: 0.6, seed: 7 } }, "#guide");
  const play = (players, rival) => goToNew("/api/games",
    { body: { players, seats: [{ kind: "here" }, ...Array(players - 1).fill(agent(rival))], clock: 60 } });
  return element("section", { class: "card hero" },
    element("h1", {}, "Sit down at the table"),
    element("label", { class: "field level" }, "Opponents", level), expected,
    button("Play now", () => play(3, level.value),
      { class: "main big", id: "play-now" }),
    element("div", { class: "row" },
      button("Learn it: a guided first game", guided, { id: "guided" }),
      button(`Two players, against ${choices.rivals[2][0]}`, () => play(2, choices.rivals[2][0])),
      button("Watch agents play", () => goToNew("/api/games",
        { body: { players: 3, seats: [first, second, "greedy"].map(agent), clock: 60 } }), { id: "watch-now" })));
}

function puzzles() {
  return element("section", { class: "card" }, element("h2", {}, "Puzzles and openings"),
    element("p", {}, "Find the best decision in openings, fights and endings, for 2 to 5 players. Or see how strong agents begin."),
    element("div", { class: "row" }, element("a", { href: "/puzzles", class: "button", id: "puzzles" }, "Solve puzzles"),
      element("a", { href: "/openings", class: "button", id: "openings" }, "Openings")));
}

function file(largest) {
  const read = async (chosen) => {
    if (!chosen) return;
    if (chosen.size > largest) note(`the file is larger than ${largest / 2 ** 20} MiB; expected a record or a position`, "bad");
    else goToNew("/api/records", { text: await chosen.text() });
  };
  const input = element("input", { type: "file", accept: ".json,application/json", id: "file", "aria-label": "a record or a position", onchange: () => read(input.files[0]) });
  const section = element("section", { class: "card drop" }, element("h2", {}, "Open a file"),
    element("p", {}, "A record or a position: see what agents think of it, and play on from any moment."), input);
  section.addEventListener("dragover", (event) => event.preventDefault());
  section.addEventListener("drop", (event) => { event.preventDefault(); read(event.dataTransfer.files[0]); });
  return section;
}

function options(values, chosen, label = (value) => value) {
  return values.map((value) => element("option", { value: String(value), selected: value === chosen }, label(value)));
}

// A field for an option of a ruleset: a tick box where ticking it means one thing, else a choice.
function optionField({ name, title, tip, choices, default: usual, ticked, blank }, chosen = usual) {
  const box = ticked !== null;
  const named = (value) => (value === "" ? blank : value);
  const input = box ? element("input", { type: "checkbox", id: name })
    : element("select", { id: name }, options(blank ? ["", ...choices] : choices, chosen ?? "", named));
  const read = () => (box ? (input.checked ? ticked : usual) : typeof choices[0] === "number" ? Number(input.value) : input.value || null);
  const parts = box ? [input, title] : [title, input];
  return { input, read, label: element("label", { class: box ? "tick" : "field", title: capital(tip) }, ...parts) };
}

// A field for 64 bits, as text: numbers here have 53.
function seedField() {
  const field = element("input", { type: "text", inputmode: "numeric", maxlength: "40", placeholder: "any", id: "seed", autocomplete: "off" });
  const isSeed = (text) => /^\d{0,20}$/.test(text) && BigInt(text) < 2n ** 64n;
  field.addEventListener("input", () =>
    field.setCustomValidity(isSeed(field.value.trim()) ? "" : "A seed is a whole number from 0 to 2^64−1."));
  return field;
}

function newGame(choices) {
  const fields = Object.fromEntries(choices.options.map((option) => [option.name, optionField(option, option.name === "players" ? 3 : undefined)]));
  const { players, edition, board, missions } = Object.fromEntries(Object.entries(fields).map(([name, { input }]) => [name, input]));
  const blankBoard = choices.options.find(({ name }) => name === "board").blank;
  const seed = seedField();
  const clock = clockField();
  const place = element("div");
  const ruleset = () => ({
    ...Object.fromEntries(Object.entries(fields).map(([name, { read }]) => [name, read()])),
    ...(Number(players.value) === 2 ? {} : { two_players: null }) });
  let seats, asked, arranged;
  // What goes with what; and whom to play against, as the server says, unless that is what is proposed already.
  const arrange = async () => {
    const count = Number(players.value);
    const boards = choices.boards.filter((one) => one.players.includes(count));
    const chosen = boards.find((one) => one.name === board.value);
    missions.disabled = chosen?.missions === false;
    missions.checked &&= !missions.disabled;
    for (const option of edition.options) option.disabled = option.value === "bigbox" && count === 2;
    if (count === 2 && edition.value === "bigbox") edition.value = "fourth";
    board.replaceChildren(...options(["", ...boards.map((one) => one.name)], chosen?.name ?? "", (name) => name || blankBoard));
    fields.two_players.label.hidden = count !== 2;
    const wanted = JSON.stringify(asked = ruleset());
    const answer = await attempt(() => request("/api/rivals", { body: asked }));
    const rivals = answer?.rivals ?? choices.rivals[count];
    const proposed = JSON.stringify([count, rivals]);
    if (wanted !== JSON.stringify(asked) || seats?.proposed === proposed) return;
    const others = Array.from({ length: count - 1 }, (_, n) => ({ kind: "agent", agent: rivals[n % rivals.length] }));
    seats = { ...seatsForm(count, choices.agents, [{ kind: "here" }, ...others]), proposed };
    place.replaceChildren(seats.form);
  };
  const change = () => { arranged = arrange(); };
  for (const { input } of Object.values(fields)) input.addEventListener("change", change);
  change();
  const start = async () => {
    more.open ||= !seed.checkValidity();  // what is wrong is told beside the field
    if (!seed.reportValidity()) return;
    for (let last; last !== arranged; await last) last = arranged;  // also of what is changed meanwhile
    await goToNew("/api/games", { body: {
      ...ruleset(), seats: seats.value(), clock: clockOf(clock), seed: seed.value.trim() || null } });
  };
  const more = element("details", {}, element("summary", {}, "More"),
    element("label", { class: "field" }, "Time for an agent's decision", clock),
    ...Object.entries(fields).filter(([name]) => name !== "players").map(([, { label }]) => label),
    element("label", { class: "field" }, "Seed", seed));
  return element("section", { class: "card" }, element("h2", {}, "Another game"), fields.players.label, place, more,
    button("Start", start, { class: "main", id: "start" }));
}

// The games that are listed so far, and a way to more. Games that were made meanwhile push some that are shown behind those.
async function listGames(place) {
  const shown = new Set([...place.querySelectorAll(".game-row")].map((row) => row.dataset.game));  // those removed are not there
  let since = shown.size, games, of, fresh;
  do {
    ({ games, of } = await request(`/api/games?since=${since}`));
    since += games.length;
    fresh = games.filter(({ id }) => !shown.has(id));
  } while (games.length && !fresh.length && since < of);
  place.querySelector(".further")?.remove();
  if (!shown.size && !games.length) {
    place.replaceChildren(element("p", { class: "soft" }, "None yet. They are kept as you play, and stay when the server ends."));
    return;
  }
  const rows = fresh.map(gameRow);
  place.append(...rows);
  if (shown.size) rows[0]?.querySelector("a, button").focus({ preventScroll: true });
  if (since < of && games.length) {
    place.append(element("div", { class: "row further" }, element("span", { class: "soft" }, `${shown.size + rows.length} of ${of} games`),
      button("Show more", once(() => attempt(() => listGames(place))), { id: "further", class: "small" })));
  }
}

function gameRow(game) {
  const kind = game.study ? "study" : game.over ? "over" : "under way";
  const remove = once(async () => {
    if (!confirm("Remove this game for good?")) return;
    if (await attempt(() => request(`/api/games/${game.id}`, { method: "DELETE" }))) row.remove();
  });
  const row = game.problem ? element("div", { class: "game-row", "data-game": game.id }, element("span", { class: "names problem" }, game.problem),
    button("Remove", remove, { class: "quiet small" })) : element("div", { class: "game-row", "data-game": game.id },
    element("a", { href: `/game/${game.id}`, class: "names" }, game.study ? "Study" : game.names.join(" · ")),
    element("span", { class: `tag ${kind.replace(" ", "-")}` }, kind),
    element("span", { class: "soft" }, `${numberOf(game.decisions, "decision")} · ${game.ruleset}`),
    element("span", { class: "soft when", title: `begun ${moment(game.made)}` }, `played ${moment(game.played)}`),
    button("Remove", remove, { class: "quiet small" }));
  return row;
}

function moment(seconds) {
  return new Date(1000 * seconds).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
