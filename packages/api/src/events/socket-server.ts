import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { auditEarlyRefusal } from "../audit/audit-requests.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { callerOf } from "../auth/caller-of.ts";
import type { Identity } from "../http/identity.ts";
import { unknownParameter } from "../json/issues-to-errors.ts";
import type { Login } from "../auth/login.ts";
import { admitRequest, type Arrival, type Gate } from "../guard/admit-request.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { writeRefusalToSocket } from "../http/write-refusal.ts";
import { serveEventSocket, type EventSocketParts } from "./serve-event-socket.ts";
import { CLOSE_CODES, CLOSE_GRACE_MS, MAX_FRAME_BYTES, MAX_SOCKETS, PING_MS } from "./socket-limits.ts";

export interface SocketServerOptions extends EventSocketParts {
  readonly gate: Gate;
  readonly login: Login;
  readonly metrics: Metrics;
  readonly rates: RateLimits;
  readonly audit: AuditLog;
  readonly privateRuns: boolean;
  /** Base address for the links of refusals. */
  readonly base: string;
}

const EVENTS_PATH = "/api/events";

/** An accepted upgrade: the caller, and how they authenticated. */
interface Admitted {
  readonly identity: Identity;
  readonly arrival: Arrival;
}

/** Accepts upgrades to WebSockets. Koa never sees them, so the guard of all requests runs here too. */
export class SocketServer {
  readonly #options: SocketServerOptions;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  readonly #alive = new WeakSet<WebSocket>();
  readonly #identities = new WeakMap<WebSocket, Identity>();
  readonly #heartbeat = setInterval(() => this.#ping(), PING_MS).unref();

  constructor(options: SocketServerOptions) {
    this.#options = options;
    this.#sockets.on("wsClientError", ({ message }, socket, request) =>
      this.#refuse(new Refusal("bad-request-target", message), request, socket),
    );
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    void this.#admit(request, socket, head);
  }

  async #admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const decision = await this.#decide(request);
    if (decision === "closed") socket.destroy();
    else if (decision instanceof Refusal) this.#refuse(decision, request, socket);
    else this.#sockets.handleUpgrade(request, socket, head, (client) => this.#welcome(client, decision));
  }

  #refuse(refusal: Refusal, request: IncomingMessage, socket: Duplex): void {
    const { audit, base } = this.#options;
    auditEarlyRefusal(audit, { refusal, request, action: "upgrade" });
    writeRefusalToSocket(refusal, request, socket, base);
  }

  /** Closes all sockets; a client that does not answer within a second is disconnected. */
  close(): void {
    clearInterval(this.#heartbeat);
    for (const client of this.#sockets.clients) {
      client.close(CLOSE_CODES.goingAway, "the server stops");
      setTimeout(() => client.terminate(), CLOSE_GRACE_MS).unref();
    }
  }

  async #decide(request: IncomingMessage): Promise<Admitted | Refusal | "closed"> {
    const admission = await admitRequest(request, this.#options.gate, "origin");
    if (admission.kind === "closed") return "closed";
    if (admission.kind === "refused") return admission.refusal;
    const [path, query] = admission.target.split("?", 2);
    if (path !== EVENTS_PATH) return new Refusal("not-found", `WebSockets are at ${EVENTS_PATH} only`);
    const search = new URLSearchParams(query);
    const unknown = [...search.keys()].find((name) => name !== "ticket");
    if (unknown !== undefined)
      return new Refusal("invalid-parameters", `Not valid: ${unknown}`, {
        errors: [unknownParameter(unknown, ["ticket"])],
      });
    const identity = await this.#identify(request, search);
    const { arrival } = admission;
    const tooMany = this.#options.rates.refusalOf("reads", { identity, client: arrival.client });
    if (tooMany !== undefined) return tooMany;
    if (identity instanceof Refusal) return identity;
    if (this.#sockets.clients.size >= MAX_SOCKETS)
      return new Refusal("too-many-requests", `${MAX_SOCKETS} WebSockets are already open`);
    return { identity, arrival };
  }

  /** A ticket is the only secret allowed in a URL: it opens one socket, within 30 s. */
  async #identify(request: IncomingMessage, query: URLSearchParams): Promise<Identity | Refusal> {
    const ticket = query.get("ticket");
    const { login } = this.#options;
    return ticket === null ? login.identify(request.headers) : login.redeemTicket(ticket);
  }

  #welcome(client: WebSocket, { identity, arrival }: Admitted): void {
    this.#alive.add(client);
    this.#identities.set(client, identity);
    this.#options.metrics.sockets += 1;
    client.once("close", () => (this.#options.metrics.sockets -= 1));
    client.on("pong", () => this.#alive.add(client));
    serveEventSocket(client, callerOf(identity, arrival.site.base, this.#options), this.#options);
  }

  #ping(): void {
    for (const client of this.#sockets.clients) {
      if (!this.#isStillLetIn(client)) client.close(CLOSE_CODES.notLetIn, "the token has expired or was revoked");
      else if (this.#alive.delete(client)) client.ping();
      else client.terminate();
    }
  }

  /** A caller whose token was revoked is disconnected at the next ping. */
  #isStillLetIn(client: WebSocket): boolean {
    const identity = this.#identities.get(client);
    return identity === undefined || this.#options.login.isCurrent(identity);
  }
}
