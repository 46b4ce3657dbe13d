import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Router } from "@koa/router";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context, RequestState } from "../http/context.ts";
import { isKnown } from "../http/is-known.ts";
import { createAsyncApiDocument } from "./asyncapi/create-asyncapi-document.ts";
import { createOpenApiDocument, createServiceDocument } from "./openapi/create-openapi-document.ts";
import type { StandardService } from "./openapi/create-openapi-document.ts";
import { DocumentTexts } from "./openapi/document-texts.ts";
import { SWAGGER_ASSETS } from "./swagger-assets.ts";
import { createSwaggerPage } from "./swagger-page.ts";

const DAY_S = 86_400;

export interface DocumentationOptions {
  readonly version: string;
  /** Path of the base address. */
  readonly prefix: string;
}

const GA4GH_SERVICES: readonly StandardService[] = [
  { title: "Workflow Execution Service 1.1", tag: "wes", root: "/ga4gh/wes/v1" },
  { title: "Tool Registry Service 2.0", tag: "trs", root: "/ga4gh/trs/v2" },
];

/** Registers /swagger.json, `openapi.json` of each GA4GH service, /asyncapi.json, and Swagger UI with its files. */
export function addDocumentationRoutes(router: Router<RequestState>, { version, prefix }: DocumentationOptions): void {
  const page = createSwaggerPage(prefix);
  const openApi = new DocumentTexts((base) => createOpenApiDocument(base, version));
  const asyncApi = new DocumentTexts((base) => createAsyncApiDocument({ base, version }));
  router.get("/swagger.json", (ctx) => answerDocument(ctx, openApi));
  for (const service of GA4GH_SERVICES) {
    const document = new DocumentTexts((base) => createServiceDocument(base, version, service));
    router.get(`${service.root}/openapi.json`, (ctx) => answerDocument(ctx, document));
  }
  router.get("/asyncapi.json", (ctx) => answerDocument(ctx, asyncApi));
  router.get("/api/doc/", (ctx) => page(ctx));
  router.get("/api/doc", (ctx) => ctx.redirect(`${prefix}/api/doc/`));
  router.get("/swaggerui", (ctx) => ctx.redirect(`${prefix}/swaggerui/`));
  router.get("/swaggerui/", (ctx) => ctx.redirect(`${prefix}/api/doc/`));
  router.get("/swaggerui/*path", (ctx) => answerAsset(ctx, ctx.params["path"] ?? ""));
}

function answerDocument(ctx: Context, documents: DocumentTexts): void {
  const { text, entityTag } = documents.get(ctx.state.site.base);
  ctx.set({ ETag: entityTag, "Cache-Control": "no-cache" });
  if (isKnown(ctx, { entityTag })) {
    ctx.status = 304;
    return;
  }
  ctx.body = text;
  ctx.set("Content-Type", "application/json; charset=utf-8");
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
