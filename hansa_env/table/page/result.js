// How a game ended: who won, and the points of every seat by what they are for.
import { button, chip, element } from "./dom.js";
import { OF_COLUMN } from "./help.js";

export function outcome({ view, seats, lookBack, searching }) {
  const winners = view.winners.map((seat) => seats[seat].name).join(" and ");
  const won = view.winners.length > 1 || winners === "You" ? "win" : "wins";
  return element("div", { class: "ask" }, element("div", {}, element("h2", { tabindex: "-1" }, `${winners} ${won}`),
    element("p", { class: "soft" }, `The game is over: ${view.ending}.`)),
  lookBack ? button("Find the mistakes", lookBack, { id: "look-back", disabled: searching }) : null);
}

export function points(view, seats) {
  const last = view.columns.length - 1;
  const best = view.columns.map((_, column) => Math.max(...view.scores.map((row) => row[column])));
  const order = view.scores.map((row, seat) => seat).sort((a, b) => view.scores[b][last] - view.scores[a][last]);
  return element("table", { class: "final" },
    element("thead", {}, element("tr", {}, element("td", {}),
      order.map((seat) => element("th", { scope: "col", title: seats[seat].name }, chip(seat), element("span", {}, seats[seat].name.replace(/ \(\d\)$/, "")))))),
    element("tbody", {}, view.columns.map((column, c) => element("tr", { class: c === last ? "total" : "" },
      element("th", { scope: "row", "data-rule": OF_COLUMN[column] }, column),
      order.map((seat) => element("td", { class: view.scores[seat][c] === best[c] && best[c] ? "best" : "" },
        String(view.scores[seat][c])))))));
}
