import { z } from "zod";
import type { EngineFiles } from "@weft/engine/port/engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import type { RouteId } from "@weft/shared/routes/routes.ts";
import { isForm } from "../forms/read-form.ts";
import { receiveRunForm, type ParsedBody } from "../forms/receive-run-form.ts";
import type { Context } from "../http/context.ts";
import { JSON_BODY_LIMIT, RUN_BODY_LIMIT, type JsonLimits } from "../http/http-limits.ts";
import { parseJsonBody } from "../json/parse-json.ts";
import { bodyErrors } from "../json/issues-to-errors.ts";
import { readBody } from "../http/read-body.ts";

export interface BodyOfRoute {
  readonly id: RouteId;
  readonly declaration: RouteDeclaration;
  /** Stores the files of a form. */
  readonly files: EngineFiles;
  readonly json: JsonLimits;
}

/** Reads, parses and checks a route's JSON body; undefined for routes without one. Streams (`bodyMediaType`) are left to the handler. */
export async function parseBody(ctx: Context, { id, declaration, files, json }: BodyOfRoute): Promise<ParsedBody> {
  const { body: schema, bodyMediaType, takesForm, bodyIsOptional } = declaration;
  if (bodyMediaType !== undefined) requireIdentityEncoding(ctx);
  if (schema === undefined) return { body: undefined };
  if (takesForm === true && isForm(ctx)) {
    requireIdentityEncoding(ctx);
    return receiveRunForm(ctx, { files, check: (body) => checkBody(schema, body) });
  }
  if (bodyIsOptional === true && hasNoBody(ctx)) return { body: checkBody(schema, {}) };
  requireJson(ctx);
  const limitBytes = LONG.has(id) ? RUN_BODY_LIMIT : JSON_BODY_LIMIT;
  const bytes = await readBody(ctx.req, ctx.res, { limitBytes });
  return { body: checkBody(schema, await parseJsonBody(bytes, json)) };
}

/** True if the body is a file, a form, or JSON that may exceed the size of a small request. */
export function isLargeBody(ctx: Context, { id, declaration }: Pick<BodyOfRoute, "id" | "declaration">): boolean {
  if (declaration.bodyMediaType !== undefined || (declaration.takesForm === true && isForm(ctx))) return true;
  return LONG.has(id) && !(Number(ctx.get("Content-Length") || Number.NaN) <= JSON_BODY_LIMIT) && !hasNoBody(ctx);
}

function hasNoBody(ctx: Context): boolean {
  return ctx.get("Transfer-Encoding") === "" && /^0*$/.test(ctx.get("Content-Length"));
}

/** Routes with long bodies: inputs may contain tens of thousands of Files, and drafts are long. */
const LONG: ReadonlySet<RouteId> = new Set([
  "POST /api/runs",
  "POST /api/plans",
  "POST /api/runs/{run_id}/retry",
  "POST /api/runs/{run_id}/retry-plan",
  "POST /api/drafts",
  "POST /api/drafts/{draft_id}",
  "POST /api/drafts/{draft_id}/files",
]);

/**
 * Refuses bodies other than JSON, including those that a foreign page can send without a preflight (forms, plain text).
 */
function requireJson(ctx: Context): void {
  requireIdentityEncoding(ctx);
  const [type = "", ...parameters] = ctx.get("Content-Type").toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="));
  const isUtf8 = charset === undefined || charset.replaceAll('"', "") === "charset=utf-8";
  if (type.trim() === "application/json" && isUtf8) return;
  throw new Refusal("unsupported-media-type", "The body must be application/json in UTF-8", {
    headers: { Accept: "application/json" },
  });
}

function requireIdentityEncoding(ctx: Context): void {
  const encoding = ctx.get("Content-Encoding");
  if (encoding === "" || encoding.toLowerCase() === "identity") return;
  throw new Refusal("unsupported-media-type", `A body encoded as ${encoding} is not accepted`, {
    headers: { "Accept-Encoding": "identity" },
  });
}

function checkBody(schema: z.ZodType, body: unknown): unknown {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const errors = bodyErrors(parsed.error.issues, body, fields);
  const places = [...new Set(errors.map((error) => error.pointer || "the body"))];
  throw new Refusal("invalid-body", `Not valid: ${places.slice(0, 5).join(", ")}${places.length > 5 ? ", …" : ""}`, {
    errors,
  });
}
