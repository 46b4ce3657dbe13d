import type { IncomingMessage, ServerResponse } from "node:http";
import { LINGER_MS } from "./http-limits.ts";

/**
 * A client whose body nobody wants (too large, refused) first sends all of it and then looks for the answer; cutting it
 * off at once would lose the answer. Whoever goes on sending for longer is cut off.
 */
export function lingerOverUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.complete) return;
    request.resume();
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
    request.once("end", () => clearTimeout(timer));
  });
}
