import type { Router } from "@koa/router";
import type { EngineFiles } from "@weft/engine/port/engine.ts";
import type { Context, RequestState } from "../http/context.ts";
import type { JsonLimits } from "../http/http-limits.ts";
import { isLargeBody, parseBody } from "./parse-body.ts";
import type { UploadLimiter } from "../limits/upload-limiter.ts";
import { parseParameters, parsePathParameters } from "./parse-parameters.ts";
import type { BoundRoute, ContentAnswer, UntypedAnswer, UntypedJsonAnswer } from "../http/route-handler.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { roleIncludes } from "@weft/shared/records/role.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import type { Identity } from "../http/identity.ts";
import { Readable } from "node:stream";
import { textEntityTag } from "../http/entity-tag.ts";
import { isKnown } from "../http/is-known.ts";

/** `open` comes first and serves all callers; `closed` requires a login. */
export interface Routers {
  readonly open: Router<RequestState>;
  readonly closed: Router<RequestState>;
}

/** Settings for reading bodies. */
export interface Bodies {
  /** Folder for the files of a form. */
  readonly files: EngineFiles;
  readonly uploads: UploadLimiter;
  readonly json: JsonLimits;
}

/** Registers routes with their handlers. */
export function bindRoutes({ open, closed }: Routers, routes: readonly BoundRoute[], bodies: Bodies): void {
  for (const route of routes) {
    const [method = "", template = ""] = route.id.split(" ");
    const router = route.declaration.access === "open" ? open : closed;
    router.register(routerPath(template), [method], (ctx) => answerRoute(ctx, { ...route, ...bodies }, ctx.params));
  }
}

/** `{path}` matches the rest of the path, slashes included; every other parameter matches one segment. */
function routerPath(template: string): string {
  return template.replace("{path}", "*path").replace(/\{(\w+)\}/g, ":$1");
}

async function answerRoute(
  ctx: Context,
  route: BoundRoute & Bodies,
  raw: Readonly<Record<string, string>>,
): Promise<void> {
  const { id, declaration, handle } = route;
  ctx.state.route = id.slice(id.indexOf(" ") + 1);
  ctx.state.operationId = declaration.operationId;
  if (declaration.isUnaudited === true) ctx.state.isUnaudited = true;
  requireRole(ctx.state.identity, declaration);
  const params = parsePathParameters(declaration, raw);
  const { query, headers } = parseParameters(declaration, ctx.querystring, ctx.headers);
  if (ctx.query["dry_run"] === "true") ctx.state.auditedAs = `${declaration.operationId}.dryRun`;
  if (isLargeBody(ctx, route)) countUpload(ctx, route.uploads);
  const body = await parseBody(ctx, route);
  writeAnswer(
    ctx,
    await handle({ params, query, headers, ...body, revision: revisionIn(ctx), caller: ctx.state.caller, ctx }),
  );
}

/** The revision that the request names. The declarations of routes that read this header have checked its format. */
function revisionIn(ctx: Context): number | undefined {
  const tag = ctx.get("If-Match");
  return tag === "" ? undefined : Number(tag.slice(1, -1));
}

function countUpload(ctx: Context, uploads: UploadLimiter): void {
  const upload = uploads.begin(ctx.state.caller.principal);
  ctx.state.upload = upload;
  ctx.res.once("close", () => upload.end());
}

/** Refuses requests that the caller's role does not include. Runs after the login, which identifies the caller. */
function requireRole(identity: Identity | Refusal, { access, summary }: RouteDeclaration): void {
  if (access === "open") return;
  if (identity instanceof Refusal) throw identity;
  const { principal, role } = identity;
  if (roleIncludes(role, access)) return;
  throw new Refusal("forbidden", `"${summary}" needs the role ${access}; ${principal} has the role ${role}`);
}

/** Sends a handler's answer: 304 if the client already has it, and only headers for HEAD. */
function writeAnswer(ctx: Context, answer: UntypedAnswer): void {
  ctx.status = answer.status;
  if ("json" in answer) return writeText(ctx, answer.json, answer.entityTag);
  ctx.set(answer.headers ?? {});
  if ("mediaType" in answer) writeContent(ctx, answer);
  else writeJson(ctx, answer);
}

function writeContent(ctx: Context, answer: ContentAnswer): void {
  ctx.compress = false;
  ctx.body = answer.content;
  // Set after the body, because Koa sets status 204 and drops headers for an empty one.
  ctx.status = answer.status;
  ctx.set(answer.headers);
  if (answer.status !== 304) ctx.set("Content-Type", answer.mediaType);
  // The first bytes of a live stream may come late, so send the headers now to show the client that it exists.
  if (answer.content instanceof Readable && !ctx.res.hasHeader("Content-Length")) ctx.flushHeaders();
}

/** A record without a revision gets a tag of its content. The answer to a POST gets none: it cannot be requested again. */
function writeJson(ctx: Context, answer: UntypedJsonAnswer): void {
  if (answer.body === undefined) {
    ctx.body = null;
    ctx.status = answer.status;
    return;
  }
  const text = JSON.stringify(answer.body);
  const isRead = ctx.method === "GET" || ctx.method === "HEAD";
  writeText(ctx, text, answer.entityTag ?? (isRead ? textEntityTag(text) : undefined));
}

function writeText(ctx: Context, text: string | Buffer, entityTag: string | undefined): void {
  if (entityTag !== undefined) ctx.set({ ETag: entityTag, "Cache-Control": "private, no-cache" });
  if (entityTag !== undefined && isKnown(ctx, { entityTag })) {
    ctx.status = 304;
    return;
  }
  ctx.body = text;
  ctx.set("Content-Type", "application/json; charset=utf-8");
}
