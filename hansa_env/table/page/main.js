// The page: the first one, or a game.
import { isForPage } from "./dom.js";
import { showGame } from "./game.js";
import { openRules, Tips } from "./help.js";
import { showLobby } from "./lobby.js";
import { showOpenings } from "./openings.js";
import { showPuzzles } from "./puzzles.js";
import { goToQuestion } from "./question.js";
import { applyTheme, toggleTheme } from "./theme.js";

applyTheme();
document.getElementById("theme").addEventListener("click", toggleTheme);
document.getElementById("rules").addEventListener("click", () => openRules());
document.getElementById("skip").addEventListener("click", () => goToQuestion());
document.addEventListener("keydown", (event) => {
  if (event.key === "q" && isForPage(event)) goToQuestion();
});
// A held Enter presses a button once: its clicks do not tell that the key repeats.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.repeat && event.target.closest("button, summary")) event.preventDefault();
});
new Tips();
window.addEventListener("hashchange", () => location.reload());

const main = document.getElementById("main");
const game = location.pathname.match(/^\/game\/([\w-]+)$/);
if (game) showGame(main, game[1]);
else if (location.pathname === "/puzzles") showPuzzles(main);
else if (location.pathname === "/openings") showOpenings(main);
else showLobby(main);
