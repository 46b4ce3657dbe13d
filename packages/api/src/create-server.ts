import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { SYSTEM_CALLER } from "@weft/engine/access/visible-runs.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { parseBaseUrl } from "./address/base-address.ts";
import { authorityName, createHostPolicy } from "./address/host-policy.ts";
import { requireSafeListening } from "./auth/require-safe-listening.ts";
import type { AuthOptions } from "./auth/auth-options.ts";
import { AuditLog } from "./audit/audit-log.ts";
import { OidcVerifier } from "./auth/oidc/oidc-verifier.ts";
import { createPeerGuard, openToAll, type PeerGuard } from "./auth/peer-guard.ts";
import { createApp, type AppOptions } from "./create-app.ts";
import { EventBatcher } from "./events/event-batcher.ts";
import { SocketServer } from "./events/socket-server.ts";
import type { Arrival, Gate } from "./guard/admit-request.ts";
import { createForwardedReader } from "./guard/forwarded.ts";
import { guardedListener } from "./guard/guarded-listener.ts";
import type { ServerParts } from "./handlers/server-parts.ts";
import { UploadLimiter } from "./limits/upload-limiter.ts";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import { DEFAULT_RATES, NO_RATES, RateLimits } from "./limits/rate-limits.ts";
import { HTTP_LIMITS, MAX_CONNECTIONS } from "./http/http-limits.ts";
import { writeRefusalToSocket } from "./http/write-refusal.ts";
import { Metrics } from "./metrics/metrics.ts";
import { readWebPage } from "./pages/web-page.ts";
import type { RunningServer, ServerOptions } from "./server-options.ts";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import type { Log } from "@weft/engine/log.ts";
import { Login, type LoginOptions } from "./auth/login.ts";
import { NamedTokens } from "./auth/tokens/named-tokens.ts";

/**
 * Starts the server: a guard first, then Koa or WebSockets. Throws ServerConfigurationError for unsafe options, and the
 * system's error when the port is in use.
 */
export async function createServer(options: ServerOptions): Promise<RunningServer> {
  const auth = options.auth ?? NO_LOGIN;
  requireSafeListening({ host: options.host, auth, behindProxy: options.behindProxy ?? false });
  const forwarded = createForwardedReader(options.trustedProxies ?? []);
  const base = options.baseUrl === undefined ? undefined : parseBaseUrl(options.baseUrl);
  const oidc = auth.mode === "oidc" ? new OidcVerifier(auth.oidc) : undefined;
  const { version } = await options.engine.serverInfo(SYSTEM_CALLER);
  const page = await readWebPage(options.webRoot, base?.prefix ?? "");
  const { audit, server, port } = await openBoth(options);
  const address = `http://${authorityName(options.host)}:${port}`;
  const policy = createHostPolicy({ boundHost: options.host, port, base, allowedHosts: options.allowedHosts ?? [] });
  const gate = { policy, forwarded, peers: peersOf(auth) };
  const closing = new AbortController();
  const { log, principal = "local" } = options;
  const login = createLogin({ auth, oidc, port, principal, log, audit });
  const examine = oneAtATime(() => options.examine(address));
  const parts = createParts(options, { login, audit, examine, closing: closing.signal });
  const linkBase = base === undefined ? address : base.origin + base.prefix;
  const rates = new RateLimits(options.rates ?? (auth.mode === "none" ? NO_RATES : DEFAULT_RATES));
  const { formBytes, requestValues, objectFields, reportedProblems: maxErrors } = options.limits ?? DEFAULT_LIMITS;
  const json = { maxValues: requestValues, maxFields: objectFields };
  const requestBytes = options.maxUploadBytes ?? Number.POSITIVE_INFINITY;
  const uploads = new UploadLimiter({ formBytes, requestBytes, json });
  const app = { version, page, webRoot: options.webRoot, rates, uploads, json, maxErrors };
  const sockets = attach(server, { gate, parts, linkBase, prefix: base?.prefix ?? "", ...app });
  await audit.note("server.started", `${address}, auth ${auth.mode}, private runs ${parts.privateRuns}`);
  return {
    address,
    port,
    signInAddress: () => (auth.mode === "none" ? undefined : `${linkBase}/#login=${login.issueCode()}`),
    close: () => close({ server, sockets, parts, closing }),
  };
}

/** Opening the port is the last step that can fail; after it, add the first listener without awaiting anything. */
async function openBoth(options: ServerOptions) {
  const audit = await AuditLog.open(options.auditFolder, options.log);
  try {
    return { ...(await listen(options.host, options.port)), audit };
  } catch (error) {
    await audit.close();
    throw error;
  }
}

/** Opens the port, with the parser's limits set; the server handles requests once a listener is added. */
async function listen(host: string, port: number): Promise<{ readonly server: Server; readonly port: number }> {
  // curl offers HTTP/2 as an upgrade of any request, so only WebSockets count as upgrades.
  const shouldUpgradeCallback = ({ headers }: { headers: { upgrade?: string | undefined } }) =>
    headers.upgrade?.toLowerCase() === "websocket";
  const server = createHttpServer({ ...HTTP_LIMITS, shouldUpgradeCallback });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return { server, port: address.port };
}

const NO_PROXY = new Refusal("method-not-allowed", "CONNECT is not supported; this server is not a proxy", {
  headers: { Allow: "" },
});

const NO_LOGIN: AuthOptions = { mode: "none" };

function peersOf(auth: AuthOptions): PeerGuard {
  return auth.mode === "none" && auth.everyone !== true ? createPeerGuard(auth.peerUsers ?? []) : openToAll;
}

function createParts(
  { engine, log, onShutdown, privateRuns = false, wesDocuments, workbench = true }: ServerOptions,
  made: Pick<ServerParts, "login" | "audit" | "examine" | "closing">,
): ServerParts {
  let hasShutDown = false;
  const shutDownOnce = () => {
    if (!hasShutDown) onShutdown?.();
    hasShutDown = true;
  };
  const batcher = new EventBatcher(engine.events);
  const settings = { log, privateRuns, wesDocuments, workbench, onShutdown: shutDownOnce };
  return { ...made, ...settings, engine, batcher, metrics: new Metrics() };
}

/** Calls during a call get its result. */
function oneAtATime<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  return () =>
    (current ??= act().finally(() => {
      current = undefined;
    }));
}

interface Attachment extends Omit<AppOptions, "arrivals"> {
  readonly gate: Gate;
  /** Base address for links in answers to requests that have not been parsed. */
  readonly linkBase: string;
}

/** Adds the listeners: requests pass the guard and go to Koa, upgrades pass the same guard and go to the sockets. */
function attach(server: Server, { gate, linkBase, ...app }: Attachment): SocketServer {
  const arrivals = new WeakMap<IncomingMessage, Arrival>();
  const callback = createApp({ ...app, arrivals }).callback();
  // Koa turns every failure into an answer, so its promise needs no handler.
  const next: RequestListener = (request, response) => void callback(request, response);
  const listener = guardedListener({
    gate,
    arrivals,
    base: linkBase,
    metrics: app.parts.metrics,
    audit: app.parts.audit,
    next,
  });
  const sockets = new SocketServer({
    ...app.parts,
    rates: app.rates,
    server: `weft/${app.version}`,
    gate,
    base: linkBase,
  });
  // The search for the peer's account begins before its request arrives.
  server.on("connection", (socket) => void gate.peers(socket));
  server.on("request", listener).on("checkContinue", listener).on("checkExpectation", listener);
  server.on("upgrade", (request, socket, head) => sockets.upgrade(request, socket, head));
  server.on("connect", (request, socket) => {
    // The socket has no other error listener: without this one, a client that disconnects would end the process.
    socket.on("error", () => socket.destroy());
    writeRefusalToSocket(NO_PROXY, request, socket, linkBase);
  });
  server.on("clientError", (error, socket) => answerUnreadable(error, socket, linkBase));
  return sockets;
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
  parts.batcher.close();
  parts.metrics.close();
  await closeServer(server);
  await parts.audit.note("server.stopped", "");
  await parts.audit.close();
}

const OPEN_REQUESTS_MS = 5_000;
const LOOK_AGAIN_MS = 50;

/** Frees the port, gives open requests 5 s to finish, and then closes all connections. */
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // Without this, a connection that becomes idle later would stay open for its client's next request.
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_AGAIN_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), OPEN_REQUESTS_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}

/** Answers bytes that Node's parser could not read as a request, or that did not arrive in time. */
function answerUnreadable(error: Error, socket: Duplex, base: string): void {
  const code = "code" in error ? error.code : undefined;
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  writeRefusalToSocket(refusalOf(code), undefined, socket, base);
}

function refusalOf(code: unknown): Refusal {
  if (code === "HPE_HEADER_OVERFLOW") return new Refusal("headers-too-large", "The headers are larger than 16 KiB");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Refusal("request-timeout", "The headers did not arrive in time");
  return new Refusal("bad-request-target", "The request is not HTTP");
}

interface CreateLoginOptions extends Omit<LoginOptions, "namedTokens"> {
  readonly log: Log;
  /** Records that tokens were added or removed while the server runs. */
  readonly audit: { note(action: string, target: string): Promise<void> };
}

/** Creates the login, with the named tokens of its folder if there is one. */
function createLogin({ log, audit, ...options }: CreateLoginOptions): Login {
  const folder = options.auth.mode === "none" ? undefined : options.auth.namedTokens;
  if (folder === undefined) return new Login({ ...options, namedTokens: undefined });
  const namedTokens = new NamedTokens({
    folder,
    log,
    changed: (change, { name, role }) => void audit.note(`token.${change}`, `${name} (${role})`),
  });
  return new Login({ ...options, namedTokens });
}
