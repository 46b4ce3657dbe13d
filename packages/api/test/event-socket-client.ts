import { once } from "node:events";
import { WebSocket } from "ws";
import { serverFrameSchema, type ServerFrame } from "@weft/shared/events/event-record.ts";

export interface SocketClientOptions {
  readonly origin?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** False: pings are not answered. */
  readonly autoPong?: boolean;
  /** `?ticket=…` */
  readonly query?: string;
}

/** A client of /api/events that keeps every frame, checked against its schema. */
export class EventSocketClient {
  readonly socket: WebSocket;
  readonly #frames: ServerFrame[] = [];
  #wake: () => void = () => undefined;
  readonly closed: Promise<number>;

  constructor(address: string, { query = "", ...options }: SocketClientOptions = { origin: address }) {
    this.socket = new WebSocket(`${address.replace("http", "ws")}/api/events${query}`, options);
    this.closed = new Promise((resolve) => {
      this.socket.once("close", (code) => resolve(code));
    });
    this.socket.on("message", (data) => {
      const value: unknown = JSON.parse(String(data));
      this.#frames.push(serverFrameSchema.parse(value));
      this.#wake();
    });
  }

  /** Opens a socket and reads its greeting. */
  static async open(address: string, options?: SocketClientOptions): Promise<EventSocketClient> {
    const client = new EventSocketClient(address, options);
    await client.next();
    return client;
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** The next frame, as soon as there is one. */
  async next(): Promise<ServerFrame> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame !== undefined) return frame;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }

  /** Numbers of the next `count` events, from as many frames as it takes. */
  async nextNumbers(count: number): Promise<number[]> {
    const numbers: number[] = [];
    while (numbers.length < count) {
      const frame = await this.next();
      if (frame.op === "events") numbers.push(...frame.events.map(({ seq }) => seq));
    }
    return numbers;
  }

  /** The status with which an upgrade was refused. */
  async refusal(): Promise<number | undefined> {
    this.socket.on("error", () => undefined);
    const [, response] = await once(this.socket, "unexpected-response");
    this.socket.terminate();
    return response.statusCode;
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}
