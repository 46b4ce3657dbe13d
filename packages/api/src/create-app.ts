import type { IncomingMessage } from "node:http";
import { Router } from "@koa/router";
import { Refusal } from "@weft/shared/records/refusal.ts";
import Koa, { type Next } from "koa";
import compress from "koa-compress";
import { auditRequests } from "./audit/audit-requests.ts";
import type { Arrival } from "./guard/admit-request.ts";
import { createHandlers } from "./handlers/create-handlers.ts";
import type { ServerParts } from "./handlers/server-parts.ts";
import type { Context, RequestState } from "./http/context.ts";
import { prepareRequest } from "./prepare-request.ts";
import { problemMiddleware } from "./http/problem-middleware.ts";
import { addDocumentationRoutes } from "./documentation/documentation-routes.ts";
import { addPageRoutes, answerPage } from "./pages/page-routes.ts";
import type { WebPage } from "./pages/web-page.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import type { UploadLimiter } from "./limits/upload-limiter.ts";
import { COMPRESSED_FROM, type JsonLimits } from "./http/http-limits.ts";
import { bindRoutes, type Routers } from "./routing/bind-routes.ts";

const ENCODINGS = ["br", "gzip", "deflate", "identity"];

export interface AppOptions {
  readonly parts: ServerParts;
  readonly arrivals: WeakMap<IncomingMessage, Arrival>;
  readonly prefix: string;
  readonly version: string;
  readonly page: WebPage;
  readonly webRoot: string | undefined;
  readonly rates: RateLimits;
  readonly uploads: UploadLimiter;
  readonly json: JsonLimits;
  /** Maximum number of errors listed in one answer. */
  readonly maxErrors: number;
}

/**
 * Creates the app with its middleware in order. Everything that can refuse a request runs inside the inner problem
 * middleware, so that the audit log records the answer; the outer one answers failures of preparation and audit themselves.
 * Public routes (the page itself, health checks, signing in) have their own router before the login; nothing else is
 * public.
 */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { parts, arrivals, page } = options;
  const { open, closed } = createRouters(options);
  const app = new Koa<RequestState>();
  const answersProblems = problemMiddleware({ log: parts.log, maxErrors: options.maxErrors });
  app.use(answersProblems);
  app.use(prepareRequest({ ...parts, arrivals }));
  app.use(rewriteOlderTrsAddress);
  app.use(auditRequests(parts.audit));
  app.use(answersProblems);
  app.use(requireEncoding);
  app.use(compress({ zstd: false, threshold: COMPRESSED_FROM }));
  app.use(limitRate(options.rates));
  app.use(open.routes());
  app.use(requireLogin(page));
  app.use(closed.routes());
  app.use(answerUnmatched([open, closed], page));
  app.on("error", (error: Error, ctx?: Pick<Context, "headerSent" | "req">) => {
    // A response that has begun nearly always fails because the client disconnected, and so does an unread upload.
    if (ctx?.headerSent === true || ctx?.req.socket.destroyed === true)
      parts.log("debug", "An answer could not be sent", { error: error.message });
    else parts.log("error", "A request failed", { error: error.stack ?? error.message });
  });
  return app;
}

/** Refuses a request before it has an effect if no encoding of its answer would be accepted (RFC 9110, section 12.5.3). */
async function requireEncoding(ctx: Context, next: Next): Promise<void> {
  if (ctx.acceptsEncodings(...ENCODINGS) === false)
    throw new Refusal(
      "not-acceptable",
      `Accept-Encoding rules out every encoding; this server has ${ENCODINGS.join(", ")}`,
    );
  await next();
}

/** Paths must match exactly: one that differs in case or by a trailing slash is another path. */
function createRouters({ parts, version, prefix, page, webRoot, uploads, json }: AppOptions): Routers {
  const open = new Router<RequestState>({ sensitive: true, strict: true });
  const closed = new Router<RequestState>({ sensitive: true, strict: true });
  bindRoutes({ open, closed }, createHandlers(parts), { files: parts.engine.files, uploads, json });
  addDocumentationRoutes(closed, { version, prefix });
  addPageRoutes(open, page, webRoot);
  return { open, closed };
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses with `too-many-requests` if a client exceeds its rate. */
function limitRate(limits: RateLimits): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const refusal = limits.refusalOf(READS.has(ctx.method) ? "reads" : "writes", ctx.state);
    if (refusal !== undefined) throw refusal;
    return next();
  };
}

const OLDER_ROOT = "/api/ga4gh/v2/";
const ROOT = "/ga4gh/trs/v2/";
/** A file next to the bare address of a document: the result of resolving a relative reference in it. */
const BESIDE_DOCUMENT =
  /^(\/ga4gh\/trs\/v2\/tools\/[^/]+\/versions\/[^/]+\/PLAIN_CWL)\/(?!(?:descriptor|tests|files)(?:\/|$))/;

/**
 * Answers addresses that clients such as cwltool use: the root and the type name of a draft of TRS 2.0, and references
 * that were resolved against `…/PLAIN_CWL/descriptor`.
 */
async function rewriteOlderTrsAddress(ctx: Context, next: Next): Promise<void> {
  ctx.path = currentTrsPath(ctx.path);
  await next();
}

function currentTrsPath(path: string): string {
  const current = path.startsWith(OLDER_ROOT) ? `${ROOT}${path.slice(OLDER_ROOT.length)}` : path;
  if (!current.startsWith(ROOT)) return path;
  return current.replace("/plain-CWL/", "/PLAIN_CWL/").replace(BESIDE_DOCUMENT, "$1/descriptor/");
}

/**
 * Guards every route that is not public, including unknown URLs, so that access is denied by default. Programs get a
 * problem; people get the application's sign-in page.
 */
function requireLogin(page: WebPage): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const { identity } = ctx.state;
    if (!(identity instanceof Refusal)) {
      await next();
      return;
    }
    const isRead = ctx.method === "GET" || ctx.method === "HEAD";
    const isAskedToSignIn = identity.code === "unauthorized";
    if (!isRead || !isAskedToSignIn || ctx.accepts("application/problem+json", "html") !== "html") throw identity;
    ctx.set(identity.headers);
    ctx.state.refusedAs = identity.code;
    answerPage(ctx, page, 401);
  };
}

/**
 * The last middleware, for requests that no route handled: another method of a known path (405, or an answer to
 * OPTIONS), or an unknown path: the application's page for people, a problem for programs.
 */
function answerUnmatched(routers: readonly Router<RequestState>[], page: WebPage): (ctx: Context) => void {
  return (ctx) => {
    const methods = allowedMethods(routers, ctx.path);
    if (methods.length > 0) {
      answerOtherMethod(ctx, methods);
    } else if (wantsPage(ctx)) {
      answerPage(ctx, page, 404);
    } else {
      throw new Refusal("not-found", `No such address: ${ctx.path}`);
    }
  };
}

function allowedMethods(routers: readonly Router<RequestState>[], path: string): string[] {
  const methods = routers.flatMap((router) => router.match(path, "").path.flatMap((layer) => layer.methods));
  return methods.length === 0 ? [] : [...new Set([...methods, "OPTIONS"])].toSorted();
}

function answerOtherMethod(ctx: Context, methods: readonly string[]): void {
  const allow = methods.join(", ");
  if (ctx.method !== "OPTIONS") {
    // The route of this path and method has handled the request, but found nothing (a static file).
    if (methods.includes(ctx.method)) throw new Refusal("not-found", `No such address: ${ctx.path}`);
    throw new Refusal("method-not-allowed", `${ctx.path} allows ${allow}`, { headers: { Allow: allow } });
  }
  ctx.set("Allow", allow);
  ctx.status = 204;
}

function wantsPage(ctx: Context): boolean {
  if (ctx.method !== "GET" && ctx.method !== "HEAD") return false;
  return !ctx.path.startsWith("/api/") && ctx.accepts("application/problem+json", "html") === "html";
}
