import type { ZodOpenApiMediaTypeObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { problemSchema } from "@weft/shared/records/problem.ts";
import { PROBLEMS, type ProblemCode } from "@weft/shared/records/refusal.ts";
import type { RouteAnswer, RouteDeclaration } from "@weft/shared/routes/route.ts";
import { PROBLEM_MEDIA_TYPE } from "../../http/describe-problem.ts";
import { missingCode } from "../../routing/parse-parameters.ts";
import { errorFormAt, ga4ghStatus } from "../../http/ga4gh-error.ts";

/** Refusals that precede routing: every path answers them with problems, never in the form of another standard. */
const UNREADABLE: ReadonlySet<ProblemCode> = new Set(["headers-too-large", "bad-request-target"]);

const HEADER_DESCRIPTIONS: Readonly<Record<string, string>> = {
  ETag: "Version of the response, for `If-None-Match`",
  Location: "URL of the new resource",
  "Content-Length": "Number of bytes",
  "Content-Range": "Byte range and total size",
  "Accept-Ranges": "`bytes`: accepts `Range`",
};

/** All answers of a route, the refusals included: one entry per status, naming the problem codes behind it. */
export function describeResponses(
  method: string,
  path: string,
  declaration: RouteDeclaration,
): ZodOpenApiResponsesObject {
  const answers = Object.entries(declaration.answers)
    .filter(([, { isDeprecated }]) => isDeprecated !== true)
    .map(([status, answer]) => [status, describeAnswer(answer)] as const);
  const known = isRevalidated(method, declaration) ? { 304: { description: "Not modified" } } : {};
  return { ...known, ...Object.fromEntries(answers), ...describeProblems(possibleProblems(method, declaration), path) };
}

/** Every JSON answer to a GET carries an entity tag, and so do others that declare it. */
export function isRevalidated(method: string, { answers }: RouteDeclaration): boolean {
  const answer = answers[200];
  return method === "GET" && (answer?.schema !== undefined || answer?.headers?.includes("ETag") === true);
}

function describeAnswer({
  description,
  schema,
  mediaTypes = [],
  headers = [],
  location,
}: RouteAnswer): ZodOpenApiResponseObject {
  const json = schema === undefined ? [] : [["application/json", { schema }] as const];
  const others = mediaTypes.map((name) => [name, { schema: schemaOf(name) }] as const);
  const content = Object.fromEntries<ZodOpenApiMediaTypeObject>([...json, ...others]);
  const names = location === undefined ? headers : ["Location", ...headers];
  return {
    description,
    ...(names.length === 0 ? {} : { headers: Object.fromEntries(names.map(describeHeader)) }),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

/** Generated clients parse JSON, decode texts, and leave everything else as bytes. */
function schemaOf(mediaType: string): { readonly type: "object" | "string"; readonly format?: "binary" } {
  if (/[/+]json$/.test(mediaType)) return { type: "object" };
  return mediaType.startsWith("text/") ? { type: "string" } : { type: "string", format: "binary" };
}

function describeHeader(name: string) {
  return [name, { description: HEADER_DESCRIPTIONS[name] ?? name, schema: { type: "string" } }] as const;
}

/** The status that a refusal has at this path. */
export function statusAt(path: string, code: ProblemCode): number {
  const { status } = PROBLEMS[code];
  return errorFormAt(path) === undefined ? status : ga4ghStatus(status);
}

function describeProblems(codes: readonly ProblemCode[], path: string): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(codes, (code) => statusAt(path, code));
  const entries = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, group]) => [String(status), describeProblem(group, path)] as const);
  return Object.fromEntries(entries);
}

function describeProblem(codes: readonly ProblemCode[], path: string): ZodOpenApiResponseObject {
  const description = codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join("; ");
  const form = errorFormAt(path);
  const problem = { [PROBLEM_MEDIA_TYPE]: { schema: problemSchema, ...exampleOf(codes[0]) } };
  if (form === undefined) return { description, content: problem };
  const isEarly = codes.some((code) => UNREADABLE.has(code));
  return { description, content: { "application/json": { schema: form.schema }, ...(isEarly ? problem : {}) } };
}

function exampleOf(code: ProblemCode | undefined): { readonly example?: unknown } {
  if (code === undefined) return {};
  const { status, title } = PROBLEMS[code];
  const type = `/doc/reference/problems#${code}`;
  return {
    example: {
      type,
      title,
      status,
      detail: title,
      instance: "/api/…",
      code,
      request_id: "5d0c0b3e-8a53-4a6e-9d53-6f0ad0d0a1c2",
      errors: [],
    },
  };
}

/** Answers that any route may give, because the checks before all routes give them. */
const COMMON: readonly ProblemCode[] = [
  "forbidden",
  "bad-request-target",
  "malformed-request",
  "misdirected-request",
  "not-acceptable",
  "invalid-parameters",
  "too-many-requests",
  "headers-too-large",
  "internal-error",
];
/** Faults that the checks of a JSON body may find. */
const OF_BODIES: readonly ProblemCode[] = [
  "malformed-json",
  "invalid-body",
  "unsupported-media-type",
  "body-too-large",
  "request-timeout",
];

/** Every refusal that a route can answer with: its own, and those of the checks that its request passes first. */
export function possibleProblems(method: string, declaration: RouteDeclaration): readonly ProblemCode[] {
  const ofBody = declaration.body === undefined ? [] : OF_BODIES;
  const ofPath = Object.keys(declaration.params?.shape ?? {}).map((name) => missingCode(name, declaration.tag));
  const ofMethod: readonly ProblemCode[] = method === "GET" ? [] : ["cross-origin"];
  const ofLogin: readonly ProblemCode[] = declaration.access === "open" ? [] : ["unauthorized", "login-unavailable"];
  return [...new Set([...ofBody, ...(declaration.problems ?? []), ...ofPath, ...ofMethod, ...COMMON, ...ofLogin])];
}
