import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller, EngineRuns } from "@weft/engine/port/engine.ts";
import type { Log } from "@weft/engine/log.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { roleIncludes } from "@weft/shared/records/role.ts";
import { routes } from "@weft/shared/routes/routes.ts";
import { callerOf } from "./auth/caller-of.ts";
import type { Login } from "./auth/login.ts";
import type { DirectListener } from "./guard/guarded-listener.ts";
import { runEntityTag, textEntityTag } from "./http/entity-tag.ts";
import { COMPRESSED_FROM } from "./http/http-limits.ts";
import type { Identity } from "./http/identity.ts";
import { matchesTag } from "./http/is-known.ts";
import { SECURITY_HEADERS } from "./http/security-headers.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import type { Metrics } from "./metrics/metrics.ts";

export interface DirectOptions {
  readonly runs: Pick<EngineRuns, "status" | "list">;
  readonly login: Login;
  readonly rates: RateLimits;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly privateRuns: boolean;
}

/** One of the two requests that pages and scripts send all the time. */
interface Question {
  readonly route: "GET /api/runs" | "GET /api/runs/{run_id}/status";
  readonly runId: string;
}

interface Answer {
  readonly text: string;
  readonly entityTag: string;
}

/**
 * Answers the two requests that pages and scripts send all the time, the status of a run and the list of runs, without
 * Koa: its middleware and router cost more than the answer (ADR 61). The guard has already admitted the request.
 * Everything but the plain, successful case is left to Koa, which alone refuses requests and reports errors.
 */
export function answerDirectly(options: DirectOptions): DirectListener {
  return (request, response, arrival) => {
    const question = questionOf(request);
    if (question === undefined) return false;
    const startedMs = performance.now();
    const identity = identityOf(request, options.login);
    if (identity === undefined || !roleIncludes(identity.role, routes[question.route].access)) return false;
    if (options.rates.refusalOf("reads", { identity, client: arrival.client }) !== undefined) return false;
    arrival.isCounted = true;
    const answer = find(question, callerOf(identity, arrival.site.base, options), options.runs);
    if (answer === undefined || isToBeEncoded(answer, request)) return false;
    const sent = send(answer, request, response);
    observe({ ...sent, request, question, durationMs: performance.now() - startedMs }, options);
    return true;
  };
}

const STATUS = /^\/api\/runs\/([\w-]+)\/status$/;

/** Undefined for all other requests, and for those that wait or have a body. */
function questionOf({ method, url = "", headers }: IncomingMessage): Question | undefined {
  if (method !== "GET" || !url.startsWith("/api/runs")) return undefined;
  if (headers["prefer"] !== undefined) return undefined;
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) return undefined;
  if (url === "/api/runs") return { route: "GET /api/runs", runId: "" };
  const runId = STATUS.exec(url)?.[1];
  return runId === undefined ? undefined : { route: "GET /api/runs/{run_id}/status", runId };
}

/** Undefined for unauthenticated callers, and for tokens that an identity provider must verify. */
function identityOf({ headers }: IncomingMessage, login: Login): Identity | undefined {
  if (login.mode === "oidc" && headers.authorization !== undefined) return undefined;
  const identity = login.identify(headers);
  return identity instanceof Promise || identity instanceof Refusal ? undefined : identity;
}

function find({ route, runId }: Question, caller: Caller, runs: DirectOptions["runs"]): Answer | undefined {
  try {
    if (route === "GET /api/runs") {
      const text = JSON.stringify(runs.list(caller, {}));
      return { text, entityTag: textEntityTag(text) };
    }
    const status = runs.status(caller, runId);
    return { text: JSON.stringify(status), entityTag: runEntityTag(status.run_id, status.revision) };
  } catch {
    // Koa repeats the query and reports the error.
    return undefined;
  }
}

/** Whether Koa may compress the answer, or refuse it because the client accepts no plain text. */
function isToBeEncoded({ text }: Answer, { headers }: IncomingMessage): boolean {
  const accepted = headers["accept-encoding"];
  return accepted !== undefined && (text.length >= COMPRESSED_FROM || /(?:identity|\*)\s*;\s*q=0/i.test(accepted));
}

/** As Koa's middleware sets them. */
const HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  "Cache-Control": "private, no-cache",
  Vary: "Accept-Encoding",
};
const HEADER_LIST: readonly string[] = Object.entries(HEADERS).flat();
const JSON_HEADER_LIST: readonly string[] = [...HEADER_LIST, "Content-Type", "application/json; charset=utf-8"];

interface Sent {
  readonly status: 200 | 304;
  readonly requestId: string;
}

function send({ text, entityTag }: Answer, { headers }: IncomingMessage, response: ServerResponse): Sent {
  const requestId = randomUUID();
  const own = ["ETag", entityTag, "X-Request-Id", requestId];
  const known = headers["if-none-match"];
  if (known !== undefined && matchesTag(known, entityTag)) {
    response.writeHead(304, [...HEADER_LIST, ...own]).end();
    return { status: 304, requestId };
  }
  const length = String(Buffer.byteLength(text));
  response.writeHead(200, [...JSON_HEADER_LIST, ...own, "Content-Length", length]).end(text);
  return { status: 200, requestId };
}

interface Observed extends Sent {
  readonly request: IncomingMessage;
  readonly question: Question;
  readonly durationMs: number;
}

function observe(
  { status, requestId, request, question, durationMs }: Observed,
  { metrics, log }: DirectOptions,
): void {
  const route = question.route.slice("GET ".length);
  metrics.observe({ method: "GET", route, status, seconds: durationMs / 1000 });
  log("debug", "request", {
    request_id: requestId,
    method: "GET",
    path: request.url,
    status,
    duration_ms: Math.round(durationMs),
  });
}
