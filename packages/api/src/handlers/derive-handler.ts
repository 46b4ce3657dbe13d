import type {
  BuiltFile,
  HashedText,
  RouteMethods,
  ServableArchive,
  TextDocument,
} from "@weft/engine/port/route-methods.ts";
import type { RouteAnswer, RouteDeclaration } from "@weft/shared/routes/route.ts";
import type { RouteId } from "@weft/shared/routes/routes.ts";
import { answerArchive, answerBuiltFile } from "../files/answer-archive.ts";
import type { Context } from "../http/context.ts";
import { hashedAnswer, runEntityTag, textEntityTag } from "../http/entity-tag.ts";
import { isKnown } from "../http/is-known.ts";
import type { ContentAnswer, UntypedHandler, UntypedRequest } from "../http/route-handler.ts";

type UntypedMethod = (request: UntypedRequest) => unknown;

/** Answers a route with a method of the engine, with the status and headers of its declaration. */
export function deriveHandler(id: RouteId, declaration: RouteDeclaration, methods: RouteMethods): UntypedHandler {
  const [status, declared] = Object.entries(declaration.answers).find(([code]) => code.startsWith("2")) ?? [];
  if (status === undefined || declared === undefined) throw new Error(`${id} declares no answer`);
  return async (request) => {
    // The map ties each method to the types of its route; an id that is known only at run time loses that connection.
    const outcome = await (methods[id] as UntypedMethod)(request);
    if (isArchive(outcome)) return answerArchive(request.ctx, outcome);
    if (isHashed(outcome)) return hashedAnswer(outcome);
    if (isBuiltFile(outcome)) return answerBuiltFile(request.ctx, outcome);
    if (isDocument(outcome)) return answerDocument(request.ctx, outcome);
    return { status: Number(status), body: outcome, ...headersOf(outcome, declared, request) };
  };
}

function isArchive(outcome: unknown): outcome is ServableArchive {
  return typeof outcome === "object" && outcome !== null && "open" in outcome && typeof outcome.open === "function";
}

function isHashed(outcome: unknown): outcome is HashedText {
  return typeof outcome === "object" && outcome !== null && "bytes" in outcome && outcome.bytes instanceof Uint8Array;
}

/** Records of the contract have no names with capitals. */
function isBuiltFile(outcome: unknown): outcome is BuiltFile {
  return isDocument(outcome) && "content" in outcome;
}

function isDocument(outcome: unknown): outcome is TextDocument {
  return typeof outcome === "object" && outcome !== null && "mediaType" in outcome;
}

/** Sends a document with an entity tag, because programs request it every few minutes, mostly unchanged. */
function answerDocument(ctx: Context, { mediaType, text }: TextDocument): ContentAnswer {
  const entityTag = textEntityTag(text);
  const headers = { ETag: entityTag, "Cache-Control": "private, no-cache" };
  if (isKnown(ctx, { entityTag })) return { status: 304, mediaType, content: null, headers };
  return { status: 200, mediaType, content: text, headers };
}

function headersOf(outcome: unknown, { headers = [], location }: RouteAnswer, { caller }: UntypedRequest) {
  const fields: Readonly<Record<string, unknown>> = { ...(typeof outcome === "object" ? outcome : {}) };
  const path = location?.replace(/\{(\w+)\}/g, (_, name: string) => String(fields[name]));
  const url = path === undefined ? String(fields["url"]) : `${caller.links.base}${path}`;
  return {
    ...((path !== undefined || headers.includes("Location")) && { headers: { Location: url } }),
    ...(headers.includes("ETag") && { entityTag: tagOf(fields) }),
  };
}

function tagOf({ run_id: runId, revision }: Readonly<Record<string, unknown>>): string {
  return typeof runId === "string" ? runEntityTag(runId, Number(revision)) : `"${String(revision)}"`;
}
