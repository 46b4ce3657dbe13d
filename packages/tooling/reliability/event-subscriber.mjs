// A subscriber that must receive every event, once and in order. Whenever its connection ends, for whatever reason, it
// connects again and resumes from the last event that it received.
import { setTimeout as pause } from "node:timers/promises";

const AGAIN_MS = 50;

export class EventSubscriber {
  /** The received events as JSON, in order; entry 0 is event 1. */
  texts = [];
  /** A sentence for each event that arrived out of order. */
  faults = [];
  connections = 0;
  #kind;
  #isOver = false;
  #drop = () => undefined;

  /** `kind`: "socket" (`since`) or "stream" (`Last-Event-ID`). */
  constructor(kind, name) {
    this.#kind = kind;
    this.name = `${kind} ${name}`;
  }

  get lastSeq() {
    return this.texts.length;
  }

  /** Listens until `close`. `address` returns the current address of a server, or waits for one. */
  async hear(address) {
    while (!this.#isOver) {
      const at = await address();
      if (this.#isOver) return;
      this.connections += 1;
      await (this.#kind === "socket" ? this.#readSocket(at) : this.#readStream(at));
      await pause(AGAIN_MS);
    }
  }

  /** Closes the connection; the next one continues. */
  drop() {
    this.#drop();
  }

  close() {
    this.#isOver = true;
    this.#drop();
  }

  #receive(event) {
    if (event.seq === this.lastSeq + 1) this.texts.push(JSON.stringify(event));
    else this.faults.push(`${this.name} received event ${event.seq} after ${this.lastSeq}`);
  }

  #readSocket(at) {
    const socket = new WebSocket(`${at.replace("http", "ws")}/api/events`, { headers: { origin: at } });
    const { promise, resolve } = Promise.withResolvers();
    this.#drop = () => socket.close();
    socket.addEventListener("open", () => socket.send(JSON.stringify({ op: "subscribe", since: this.lastSeq })));
    socket.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(data);
      if (frame.op === "events") for (const event of frame.events) this.#receive(event);
      if (frame.op === "reset") this.faults.push(`${this.name} was reset`);
    });
    socket.addEventListener("error", resolve);
    socket.addEventListener("close", resolve);
    return promise;
  }

  async #readStream(at) {
    const dropping = new AbortController();
    this.#drop = () => dropping.abort();
    try {
      const headers = { accept: "text/event-stream", "last-event-id": String(this.lastSeq) };
      const { body } = await fetch(`${at}/api/events`, { headers, signal: dropping.signal });
      let rest = "";
      for await (const text of body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        for (const line of lines) if (line.startsWith("data: ")) this.#receive(JSON.parse(line.slice(6)));
      }
    } catch {
      // The server was killed, or this side disconnected.
    }
  }
}
