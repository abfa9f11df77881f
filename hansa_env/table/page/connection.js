// The socket to a game: it comes back by itself, with what it missed.
import { token } from "./dom.js";

// What a socket that the server refuses ends with: 4000 and the status. After 4408 one comes back.
const ENDS = { 4403: "There is no seat for you here", 4404: "This game is not there" };

export class Connection {
  // `hear(message)` is called with every message, in order; `state(word)` with "open" or "lost", or "refused", the reason and a title.
  constructor(game, hear, state) {
    this.game = game;
    this.hear = hear;
    this.state = state;
    this.seq = null;
    this.wishes = 0;
    this.answers = new Map();
    this.wait = 250;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.game}/socket`);
    this.socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: "hello", token, since: this.seq }));
      this.wait = 250;
      this.state("open");
    };
    socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    socket.onclose = (event) => this.closed(event);
  }

  heard(message) {
    if (message.type === "event" && message.seq !== this.seq + 1) {  // never seen; better told anew than wrong
      this.seq = null;
      this.socket.close();
      return;
    }
    if (message.seq !== undefined && message.type !== "refused") this.seq = message.seq;
    if (message.type === "done" || message.type === "refused") {
      this.answers.get(message.id)?.(message);
      this.answers.delete(message.id);
    }
    this.hear(message);
  }

  closed(event) {
    for (const answer of this.answers.values()) answer({ type: "refused", why: "the connection was lost; see how the game stands" });
    this.answers.clear();
    if (event.code >= 4400 && event.code < 4600 && event.code !== 4408) {
      this.state("refused", event.reason, ENDS[event.code] ?? "This game cannot be opened");
      return;
    }
    this.state("lost");
    setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(2 * this.wait, 3000);
  }

  // Says what somebody wants; resolves to the answer, "done" or "refused".
  wish(message) {
    const id = ++this.wishes;
    return new Promise((resolve) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        resolve({ type: "refused", why: "there is no connection to the server at the moment" });
        return;
      }
      this.answers.set(id, resolve);
      this.socket.send(JSON.stringify({ ...message, id }));
    });
  }
}
