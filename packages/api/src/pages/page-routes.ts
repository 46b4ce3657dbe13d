import type { Router } from "@koa/router";
import serveStatic from "koa-static";
import type { Context, RequestState } from "../http/context.ts";
import { isKnown } from "../http/is-known.ts";
import type { WebPage } from "./web-page.ts";
import type { Site } from "../address/host-policy.ts";

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** Registers the pages of the web application and its built files. */
export function addPageRoutes(router: Router<RequestState>, page: WebPage, webRoot: string | undefined): void {
  for (const path of PAGE_PATHS) router.get(path, (ctx) => answerPage(ctx, page, 200));
  if (webRoot !== undefined) addAssets(router, webRoot);
}

/** Sends the application's page. It has its own views for unknown addresses (404) and for signing in (401). */
export function answerPage(ctx: Context, page: WebPage, status: 200 | 401 | 404): void {
  ctx.set({ "Content-Security-Policy": pagePolicy(ctx.state.site), "Cache-Control": "no-cache", ETag: page.entityTag });
  ctx.status = page.isBuilt || status !== 200 ? status : 503;
  if (ctx.status === 200 && isKnown(ctx, page)) {
    ctx.status = 304;
    return;
  }
  ctx.body = page.html;
  ctx.set("Content-Type", "text/html; charset=utf-8");
}

/** Vite puts a hash of the content into names, so those files never change. Browsers revalidate others (icons). */
function addAssets(router: Router<RequestState>, webRoot: string): void {
  const serve = serveStatic(webRoot, { index: false, maxage: YEAR_MS });
  router.get("/static/*path", async (ctx, next) => {
    const isHashed = /-[\w-]{8,}\.\w+(\.map)?$/.test(ctx.path);
    ctx.set("Cache-Control", isHashed ? `public, max-age=${YEAR_MS / 1000}, immutable` : "no-cache");
    await serve(ctx, next);
    if (ctx.status === 200 && isKnown(ctx, { lastModified: ctx.response.get("Last-Modified") })) ctx.status = 304;
  });
}

/** Paths of the single-page app, in the router's notation. A request for a page at any other path gets it with 404. */
export const PAGE_PATHS = [
  "/",
  "/index",
  "/doc",
  "/doc/*page",
  "/docs",
  "/network",
  "/networks",
  "/networks/new",
  "/network/:name",
  "/network/:name/edit",
  "/tool",
  "/tool/:toolname",
  "/tool/:toolname/:version",
  "/tool/:toolname/:version/edit",
  "/tools",
  "/tools/new",
  "/drafts/:id",
  "/draft-groups/:id",
  "/import",
  "/upgrades",
  "/datasets",
  "/dataset",
  "/prov",
  "/provenance",
  "/automations",
  "/automations/new",
  "/notifications",
  "/websocketclient",
  "/server",
  "/shutdown",
  "/runs",
  "/runs/:id",
  "/run",
  "/run/:id",
] as const;

/**
 * Content-Security-Policy of the application's page: everything from the server's own origin, nothing inline. The
 * socket's address is listed because not every browser treats `ws:` as 'self'.
 */
function pagePolicy(site: Site): string {
  const socketOrigin = new URL(site.base).origin.replace(/^http/, "ws");
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${socketOrigin}`,
    "frame-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
