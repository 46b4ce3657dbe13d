import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The receiver's reaction to a request. `hang`: it never answers. */
export type Reaction = number | "hang";

/** A receiver of webhooks on loopback. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** The reactions to the next requests; after them, 204. */
  readonly reactions: Reaction[] = [];
  readonly url: string;
  readonly close: () => Promise<void>;
  readonly #waiting: (() => void)[] = [];

  private constructor(port: number, close: () => Promise<void>) {
    this.url = `http://127.0.0.1:${port}/hook?key=secret-of-the-hook`;
    this.close = close;
  }

  static async start(): Promise<WebhookReceiver> {
    let receiver: WebhookReceiver | undefined;
    const server = createServer((request, response) => {
      void text(request).then((body) => receiver?.react({ headers: request.headers, body }, response));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    };
    const { port } = server.address() as AddressInfo; // it listens on TCP
    receiver = new WebhookReceiver(port, close);
    return receiver;
  }

  react(received: Received, response: ServerResponse): void {
    this.received.push(received);
    const reaction = this.reactions.shift() ?? 204;
    if (reaction !== "hang") {
      if (reaction >= 300 && reaction < 400) response.setHeader("location", "http://169.254.169.254/");
      response.writeHead(reaction).end();
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves once the received requests meet `isSo`. */
  async until(isSo: (received: readonly Received[]) => boolean): Promise<void> {
    while (!isSo(this.received)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
