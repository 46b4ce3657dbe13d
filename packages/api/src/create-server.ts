import type { IncomingMessage, Server } from "node:http";
import { parseBaseUrl } from "./address/base-address.ts";
import { authorityName, createHostPolicy } from "./address/host-policy.ts";
import type { Site } from "./address/host-policy.ts";
import { requireLoopback } from "./address/require-loopback.ts";
import { createApp } from "./create-app.ts";
import { EventHub } from "./events/event-hub.ts";
import { SocketServer } from "./events/socket-server.ts";
import { guardedListener } from "./guard/guarded-listener.ts";
import type { ServerParts } from "./server-parts.ts";
import { answerUnreadable } from "./http/answer-unreadable.ts";
import { closeServer } from "./http/close-server.ts";
import { listen } from "./http/listen.ts";
import { readWebPage } from "./pages/web-page.ts";
import type { RunningServer, ServerOptions } from "./server-options.ts";

/**
 * Starts the server: a guard in front of everything, Koa behind it, WebSockets beside it. Throws
 * ServerConfigurationError for options that it must not start with, and the system's error when the port is taken.
 */
export async function createServer(options: ServerOptions): Promise<RunningServer> {
  requireLoopback(options.host);
  const base = options.baseUrl === undefined ? undefined : parseBaseUrl(options.baseUrl);
  const prefix = base?.prefix ?? "";
  const { version } = await options.engine.serverInfo();
  const page = await readWebPage(options.webRoot, prefix);
  const { server, port } = await listen(options.host, options.port);
  const address = `http://${authorityName(options.host)}:${port}`;
  const closing = new AbortController();
  const parts = createParts(options, closing.signal);
  const sites = new WeakMap<IncomingMessage, Site>();
  const app = createApp({
    parts,
    sites,
    principal: options.principal ?? "local",
    prefix,
    version,
    page,
    webRoot: options.webRoot,
  });
  const policy = createHostPolicy({ boundHost: options.host, port, base, allowedHosts: options.allowedHosts ?? [] });
  const linkBase = base === undefined ? address : base.origin + prefix;
  const sockets = new SocketServer({ ...parts, server: `weft/${version}`, policy, base: linkBase });
  const callback = app.callback();
  // Koa answers whatever its promise could reject with; there is nothing left to wait for.
  const listener = guardedListener({
    policy,
    sites,
    base: linkBase,
    next: (request, response) => void callback(request, response),
  });
  server.on("request", listener).on("checkContinue", listener);
  server.on("upgrade", (request, socket, head) => sockets.upgrade(request, socket, head));
  server.on("clientError", (error, socket) => answerUnreadable(error, socket, linkBase));
  return { address, port, close: () => close({ server, sockets, parts, closing }) };
}

function createParts({ engine, log, onShutdown }: ServerOptions, closing: AbortSignal): ServerParts {
  let hasShutDown = false;
  const shutDownOnce = () => {
    if (!hasShutDown) onShutdown?.();
    hasShutDown = true;
  };
  return { engine, hub: new EventHub(engine.events), closing, log, onShutdown: shutDownOnce };
}

interface Closable {
  readonly server: Server;
  readonly sockets: SocketServer;
  readonly parts: ServerParts;
  readonly closing: AbortController;
}

async function close({ server, sockets, parts, closing }: Closable): Promise<void> {
  closing.abort();
  sockets.close();
  parts.hub.close();
  await closeServer(server);
}
