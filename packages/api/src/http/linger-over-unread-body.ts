import type { IncomingMessage, ServerResponse } from "node:http";
import { LINGER_MS } from "./http-limits.ts";

/**
 * A client whose body is refused (for instance as too large) first sends all of it and then reads the response; closing
 * the connection immediately would lose the response. A client that keeps sending for longer is disconnected.
 */
export function lingerOverUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.complete) return;
    request.resume();
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
    request.once("end", () => clearTimeout(timer));
  });
}
