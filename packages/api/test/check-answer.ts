import assert from "node:assert/strict";
import { problemSchema } from "@weft/shared/records/problem.ts";
import { PROBLEMS } from "@weft/shared/records/refusal.ts";
import type { RouteAnswer, RouteDeclaration } from "@weft/shared/routes/route.ts";
import { routes } from "@weft/shared/routes/routes.ts";
import { errorFormAt } from "../src/http/ga4gh-error.ts";
import { SECURITY_HEADERS } from "../src/http/security-headers.ts";
import { possibleProblems } from "../src/documentation/openapi/describe-responses.ts";
import { requirePlainWords } from "@weft/engine/testing/require-plain-words.ts";

/** An answer that was read completely. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Checks every answer of the server: security headers, a request id, and a body that is exactly what the route's
 * declaration says: no additional field (zod drops those silently), no status that is not declared.
 */
export function checkAnswer(method: string, path: string, answer: Answer): void {
  for (const name of Object.keys(SECURITY_HEADERS))
    assert.ok(answer.headers.has(name), `${method} ${path}: the header ${name} is missing`);
  assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  const declaration = declarationOf(method, path);
  if (answer.status >= 400) requirePlainWords(answer.text);
  if (answer.status >= 400 && path.startsWith("/ga4gh/")) checkGa4ghError(answer, path);
  else if (answer.headers.get("content-type") === "application/problem+json") checkProblem(answer, method, declaration);
  else if (declaration !== undefined) checkBody(method, path, answer, declaration);
}

function checkGa4ghError({ status, text }: Answer, path: string): void {
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  if (body === undefined) return;
  assert.deepEqual(errorFormAt(path)?.schema.parse(body), body);
  const error = body as { readonly status_code?: number; readonly code?: number }; // just checked
  assert.equal(error.status_code ?? error.code, status);
}

function checkProblem(
  { status, headers, text }: Answer,
  method: string,
  declaration: RouteDeclaration | undefined,
): void {
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  if (body === undefined) return;
  assert.deepEqual(problemSchema.parse(body), body);
  const { code, status: inBody, request_id: requestId } = problemSchema.parse(body);
  assert.equal(inBody, status);
  assert.equal(requestId, headers.get("x-request-id"));
  assert.ok(code in PROBLEMS, `${code} is not in the table of problems`);
  if (declaration === undefined) return;
  const possible: readonly string[] = possibleProblems(method === "HEAD" ? "GET" : method, declaration);
  assert.ok(possible.includes(code), `${declaration.operationId} does not declare ${code}`);
}

function checkBody(
  method: string,
  path: string,
  { status, headers, text }: Answer,
  declaration: RouteDeclaration,
): void {
  if (status === 304) return;
  const declared = declaration.answers[status];
  assert.ok(declared !== undefined, `${method} ${path} does not declare ${status}`);
  checkMediaType(`${method} ${path} ${status}`, headers, declared);
  for (const name of declared.headers ?? [])
    assert.ok(headers.has(name), `${method} ${path}: the declared header ${name} is missing`);
  if (
    declared.schema === undefined ||
    method === "HEAD" ||
    !(headers.get("content-type") ?? "").startsWith("application/json")
  )
    return;
  const body: unknown = JSON.parse(text);
  assert.deepEqual(declared.schema.parse(body), body);
}

function checkMediaType(what: string, headers: Headers, { schema, mediaTypes = [] }: RouteAnswer): void {
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  const declared = new Set([...(schema === undefined ? [] : ["application/json"]), ...mediaTypes]);
  assert.ok(type === "" || declared.has(type) || declared.has("*/*"), `${what}: ${type} is not declared`);
}

function declarationOf(method: string, path: string): RouteDeclaration | undefined {
  const [pathname = ""] = path.split("?", 1);
  const declaredMethod = method === "HEAD" ? "GET" : method;
  return PATTERNS.find(([pattern]) => pattern.test(`${declaredMethod} ${pathname}`))?.[1];
}

const PATTERNS = Object.entries<RouteDeclaration>(routes).map(([key, route]) => [patternOf(key), route] as const);

function patternOf(key: string): RegExp {
  return new RegExp(`^${key.replace("{path}", ".+").replace(/\{\w+\}/g, "[^/]+")}$`);
}
