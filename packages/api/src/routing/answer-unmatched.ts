import type { Router } from "@koa/router";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context, RequestState } from "../http/context.ts";
import { answerPage } from "../pages/page-routes.ts";
import type { WebPage } from "../pages/web-page.ts";

/**
 * The last middleware, for requests that no route handled: another method of a known path (405, or an answer to
 * OPTIONS), or an unknown path: the application's page for people, a problem for programs.
 */
export function answerUnmatched(routers: readonly Router<RequestState>[], page: WebPage): (ctx: Context) => void {
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
