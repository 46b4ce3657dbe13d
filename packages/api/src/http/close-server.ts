import { once } from "node:events";
import type { Server } from "node:http";

const OPEN_REQUESTS_MS = 5_000;
const LOOK_AGAIN_MS = 50;

/** Frees the port, lets open requests finish for 5 s and then cuts off what is left. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A connection that falls idle later would be kept for the next request of its client.
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_AGAIN_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), OPEN_REQUESTS_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
