import { once } from "node:events";
import type { Server } from "node:http";

const OPEN_REQUESTS_MS = 5_000;
const LOOK_AGAIN_MS = 50;

/** Frees the port, gives open requests 5 s to finish, and then closes all connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // Without this, a connection that becomes idle later would stay open for its client's next request.
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_AGAIN_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), OPEN_REQUESTS_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
