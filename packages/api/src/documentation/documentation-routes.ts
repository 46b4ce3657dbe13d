import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Router } from "@koa/router";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context, RequestState } from "../http/context.ts";
import { isKnown } from "../http/is-known.ts";
import { createAsyncApiDocument } from "./asyncapi/create-asyncapi-document.ts";
import {
  createOpenApiDocument,
  createServiceDocument,
  type StandardService,
} from "./openapi/create-openapi-document.ts";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { textEntityTag } from "../http/entity-tag.ts";
import { randomBytes } from "node:crypto";
import { koaSwagger } from "koa2-swagger-ui";
import { SWAGGER_DISTRIBUTION } from "./swagger-distribution.ts";

const DAY_S = 86_400;

const GA4GH_SERVICES: readonly StandardService[] = [
  { title: "Workflow Execution Service 1.1", tag: "wes", root: "/ga4gh/wes/v1" },
  { title: "Tool Registry Service 2.0", tag: "trs", root: "/ga4gh/trs/v2" },
];

/** Registers /swagger.json, `openapi.json` of each GA4GH service, /asyncapi.json, and Swagger UI with its files. */
export function addDocumentationRoutes(
  router: Router<RequestState>,
  { version, prefix }: { readonly version: string; readonly prefix: string },
): void {
  router.get(
    "/swagger.json",
    answerDocument((base) => createOpenApiDocument(base, version)),
  );
  for (const service of GA4GH_SERVICES)
    router.get(
      `${service.root}/openapi.json`,
      answerDocument((base) => createServiceDocument(base, version, service)),
    );
  router.get(
    "/asyncapi.json",
    answerDocument((base) => createAsyncApiDocument({ base, version })),
  );
  router.get("/api/doc/", createSwaggerPage(prefix));
  router.get("/api/doc", (ctx) => ctx.redirect(`${prefix}/api/doc/`));
  router.get("/swaggerui", (ctx) => ctx.redirect(`${prefix}/swaggerui/`));
  router.get("/swaggerui/", (ctx) => ctx.redirect(`${prefix}/api/doc/`));
  router.get("/swaggerui/*path", (ctx) => answerAsset(ctx, ctx.params["path"] ?? ""));
}

/** Returns a document for each base address that people use; there are as many as names that we answer for. */
function answerDocument(create: (base: string) => unknown): (ctx: Context) => void {
  const answers = new Map<string, { readonly text: string; readonly entityTag: string }>();
  return (ctx) => {
    const { base } = ctx.state.site;
    let answer = answers.get(base);
    if (answer === undefined) {
      const text = JSON.stringify(create(base));
      answer = { text, entityTag: textEntityTag(text) };
      answers.set(base, answer);
    }
    const { text, entityTag } = answer;
    ctx.set({ ETag: entityTag, "Cache-Control": "no-cache" });
    if (isKnown(ctx, { entityTag })) {
      ctx.status = 304;
      return;
    }
    ctx.body = text;
    ctx.set("Content-Type", "application/json; charset=utf-8");
  };
}

async function answerAsset(ctx: Context, name: string): Promise<void> {
  const asset = SWAGGER_ASSETS.get(name);
  if (asset === undefined) throw new Refusal("not-found", `There is no ${name} below /swaggerui/`);
  const { size, mtimeMs } = await stat(asset.path);
  const entityTag = `W/"${size}-${Math.trunc(mtimeMs)}"`;
  ctx.set({ ETag: entityTag, "Cache-Control": `public, max-age=${DAY_S}` });
  if (isKnown(ctx, { entityTag })) {
    ctx.status = 304;
    return;
  }
  ctx.body = ctx.method === "HEAD" ? "" : createReadStream(asset.path);
  ctx.set({ "Content-Type": asset.mediaType });
  ctx.length = size;
}

/** Files below /swaggerui/, by name. The page's template asks for the style sheet as `.min.css`. */
const SWAGGER_ASSETS: ReadonlyMap<string, { readonly path: string; readonly mediaType: string }> = new Map([
  asset("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
  asset("swagger-ui-standalone-preset.js", "text/javascript; charset=utf-8"),
  asset("swagger-ui.css", "text/css; charset=utf-8"),
  asset("swagger-ui.css", "text/css; charset=utf-8", "swagger-ui.min.css"),
  own(new URL("./swagger.css", import.meta.url), "text/css; charset=utf-8"),
  own(new URL("./swagger-theme.js", import.meta.url), "text/javascript; charset=utf-8"),
  asset("favicon-16x16.png", "image/png"),
  asset("favicon-32x32.png", "image/png"),
]);

function asset(
  file: string,
  mediaType: string,
  name = file,
): readonly [string, { readonly path: string; readonly mediaType: string }] {
  return [name, { path: join(SWAGGER_DISTRIBUTION, file), mediaType }];
}

function own(file: URL, mediaType: string): ReturnType<typeof asset> {
  const path = fileURLToPath(file);
  return [basename(path), { path, mediaType }];
}

/** Swagger UI of the API below `prefix`, from local files and under a policy without 'unsafe-inline'. */
function createSwaggerPage(prefix: string): (ctx: Context) => void {
  const render = koaSwagger({
    title: "Weft API",
    routePrefix: false,
    swaggerCdnUrl: prefix,
    swaggerVersion: "swaggerui",
    favicon: `${prefix}/swaggerui/favicon-32x32.png`,
    hideTopbar: true,
    swaggerOptions: {
      dom_id: "#swagger-ui",
      url: `${prefix}/swagger.json`,
      layout: "StandaloneLayout",
      deepLinking: true,
      tryItOutEnabled: true,
      validatorUrl: null,
    },
  });
  return (ctx) => {
    const nonce = randomBytes(16).toString("base64");
    render(ctx, async () => undefined);
    ctx.set({ "Content-Security-Policy": swaggerPolicy(nonce), "Cache-Control": "no-store" });
    ctx.body = withBar(hardenSwaggerHtml(String(ctx.body), nonce), prefix);
  };
}

function swaggerPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * The template of koa2-swagger-ui has a web font from outside, a style attribute and inline blocks that cannot be
 * turned off: takes out the first two and puts the nonce on the blocks.
 */
function hardenSwaggerHtml(html: string, nonce: string): string {
  return html
    .replace(/\s*<link href="https?:[^>]*>/g, "")
    .replace(/ xmlns(:\w+)?="[^"]*"/g, "")
    .replace(/(<svg[^>]*) style="[^"]*"/g, '$1 width="0" height="0" aria-hidden="true"')
    .replaceAll("<style>", `<style nonce="${nonce}">`)
    .replaceAll("<script>", `<script nonce="${nonce}">`);
}

/** Adds the way back to the app, and its theme. */
function withBar(html: string, prefix: string): string {
  const files = `${prefix}/swaggerui`;
  return html
    .replace(
      "</head>",
      `<link rel="stylesheet" href="${files}/swagger.css"><script src="${files}/swagger-theme.js"></script></head>`,
    )
    .replace("<body>", `<body>\n<header class="weft-bar"><a href="${prefix}/">← Weft</a>API reference</header>`);
}
