// Agents that are asked: the page says which of them think, of what and for how long; what nobody waits for is given up.
import { element } from "./dom.js";

export class Thinking {
  // `prepared(agent)` says whether an agent is still being prepared.
  constructor(prepared) {
    this.prepared = prepared;
    this.asked = [];  // {agent, what, since, stop, needed} of every question that is on its way
    this.place = element("div", { class: "asking", role: "status" });
  }

  // While an action lasts, the page says that an agent thinks, and of what. The action gets a signal for its requests: they are
  // given up once `needed()` no longer holds, which `review` looks at.
  async think(agent, what, action, needed = () => true) {
    const asked = { agent, what, since: Date.now(), stop: new AbortController(), needed };
    this.asked.push(asked);
    this.clock ??= setInterval(() => this.show(), 1000);
    this.show();
    try {
      return await action(asked.stop.signal);
    } finally {
      this.asked.splice(this.asked.indexOf(asked), 1);
      this.show();
    }
  }

  // Gives up what is no longer needed.
  review() {
    for (const { needed, stop } of this.asked) if (!needed()) stop.abort();
  }

  show() {
    const agents = [...new Set(this.asked.map(({ agent }) => agent))];
    this.place.replaceChildren(...agents.map((agent) => {
      const own = this.asked.filter((asked) => asked.agent === agent), what = own.findLast((asked) => asked.what)?.what;
      const since = Math.min(...own.map((asked) => asked.since));
      const seconds = Math.round((Date.now() - since) / 1000), told = seconds ? `, ${seconds} s by now` : "";
      return element("p", { class: "soft", "data-agent": agent }, element("progress", {}), this.prepared(agent)
        ? `${agent} is being prepared: its first answer takes longer than those that follow${told}`
        : `${agent} thinks${what ? ` of ${what}` : ""}${told}`);
    }));
    if (agents.length) return;
    clearInterval(this.clock);
    this.clock = null;
  }
}
