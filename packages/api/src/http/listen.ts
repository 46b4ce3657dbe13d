import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { HTTP_LIMITS, MAX_CONNECTIONS } from "./http-limits.ts";

export interface ListeningServer {
  readonly server: Server;
  readonly port: number;
}

/** Opens the port, with the parser's limits set; the server handles requests once a listener is added. */
export async function listen(host: string, port: number): Promise<ListeningServer> {
  // curl offers HTTP/2 as an upgrade of any request, so only WebSockets count as upgrades.
  const shouldUpgradeCallback = ({ headers }: { headers: { upgrade?: string | undefined } }) =>
    headers.upgrade?.toLowerCase() === "websocket";
  const server = createServer({ ...HTTP_LIMITS, shouldUpgradeCallback });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return { server, port: address.port };
}
