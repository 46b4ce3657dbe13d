import type { Router } from "@koa/router";
import type { EngineFiles } from "@weft/engine/port/engine.ts";
import { requireRole } from "../auth/require-role.ts";
import type { Context, RequestState } from "../http/context.ts";
import type { JsonLimits } from "../http/http-limits.ts";
import { isLargeBody, parseBody } from "./parse-body.ts";
import type { UploadLimiter } from "../limits/upload-limiter.ts";
import { parseParameters, parsePathParameters } from "./parse-parameters.ts";
import type { BoundRoute } from "../http/route-handler.ts";
import { writeAnswer } from "./write-answer.ts";

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
  if (isLargeBody(ctx, route)) countUpload(ctx, route.uploads);
  const body = await parseBody(ctx, route);
  writeAnswer(
    ctx,
    await handle({ params, query, headers, ...body, revision: revisionIn(ctx), caller: ctx.state.caller, ctx }),
  );
}

/** The declaration of a route that reads it has checked the form of the header. */
function revisionIn(ctx: Context): number | undefined {
  const tag = ctx.get("If-Match");
  return tag === "" ? undefined : Number(tag.slice(1, -1));
}

function countUpload(ctx: Context, uploads: UploadLimiter): void {
  const upload = uploads.begin(ctx.state.caller.principal);
  ctx.state.upload = upload;
  ctx.res.once("close", () => upload.end());
}
