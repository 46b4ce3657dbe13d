import type { IncomingMessage } from "node:http";
import { Router } from "@koa/router";
import { Refusal } from "@weft/shared/records/refusal.ts";
import Koa from "koa";
import type { Next } from "koa";
import compress from "koa-compress";
import { auditRequests } from "./audit/audit-requests.ts";
import { requireLogin } from "./auth/require-login.ts";
import type { Arrival } from "./guard/admit-request.ts";
import { createHandlers } from "./handlers/create-handlers.ts";
import type { ServerParts } from "./handlers/server-parts.ts";
import type { Context, RequestState } from "./http/context.ts";
import { rewriteOlderTrsAddress } from "./ga4gh/older-trs-address.ts";
import { prepareRequest } from "./prepare-request.ts";
import { problemMiddleware } from "./http/problem-middleware.ts";
import { addDocumentationRoutes } from "./documentation/documentation-routes.ts";
import { addPageRoutes } from "./pages/page-routes.ts";
import type { WebPage } from "./pages/web-page.ts";
import { limitRate } from "./limits/limit-rate.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import type { UploadLimiter } from "./limits/upload-limiter.ts";
import { COMPRESSED_FROM } from "./http/http-limits.ts";
import type { JsonLimits } from "./http/http-limits.ts";
import { answerUnmatched } from "./routing/answer-unmatched.ts";
import { bindRoutes } from "./routing/bind-routes.ts";
import type { Routers } from "./routing/bind-routes.ts";

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
  app.on("error", (error: Error, ctx?: { readonly headerSent: boolean }) => {
    // A response that has begun nearly always fails because the client disconnected.
    if (ctx?.headerSent === true) parts.log("debug", "An answer could not be sent", { error: error.message });
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
