import type { Next } from "koa";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";
import { answerPage } from "../pages/page-routes.ts";
import type { WebPage } from "../pages/web-page.ts";

/**
 * Guards every route that is not public, including unknown URLs, so that access is denied by default. Programs get a
 * problem; people get the application's sign-in page.
 */
export function requireLogin(page: WebPage): (ctx: Context, next: Next) => Promise<void> {
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
