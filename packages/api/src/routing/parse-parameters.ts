import type { IncomingHttpHeaders } from "node:http";
import { Refusal, type ProblemCode } from "@weft/shared/records/refusal.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { parameterErrors, unknownParameter } from "../json/issues-to-errors.ts";

/** Parses path parameters. A value that cannot be an id is refused like an unknown id. */
export function parsePathParameters(declaration: RouteDeclaration, raw: Readonly<Record<string, string>>): unknown {
  if (declaration.params === undefined) return undefined;
  const parsed = declaration.params.safeParse(raw);
  if (parsed.success) return parsed.data;
  const name = String(parsed.error.issues[0]?.path[0] ?? "");
  throw new Refusal(
    missingCode(name, declaration.tag),
    `There is no ${name.replace(/_id$/, "")} ${JSON.stringify(raw[name])}`,
    {
      errors: parameterErrors(parsed.error.issues),
    },
  );
}

const MISSING: ReadonlyMap<string, ProblemCode> = new Map([
  ["run_id", "run-not-found"],
  ["job_id", "job-not-found"],
  ["task_id", "job-not-found"],
  ["digest", "document-not-found"],
  ["path", "file-not-found"],
  ["version", "version-not-found"],
  ["version_id", "version-not-found"],
]);

/** The refusal of a value of a path parameter that cannot be an ID, as of an unknown ID. */
export function missingCode(parameter: string, tag: RouteDeclaration["tag"]): ProblemCode {
  if (parameter === "id") return tag === "tools" ? "tool-not-found" : "network-not-found";
  return MISSING.get(parameter) ?? "not-found";
}

/** Parses the query and the declared headers; refuses with `invalid-parameters` and an error for every invalid one. */
export function parseParameters(
  declaration: RouteDeclaration,
  search: string,
  headers: IncomingHttpHeaders,
): { readonly query: unknown; readonly headers: unknown } {
  const query = parseQuery(declaration, new URLSearchParams(search));
  const head = parseHeaders(declaration, headers);
  const errors = [...query.errors, ...head.errors];
  if (errors.length === 0) return { query: query.value, headers: head.value };
  const names = [...new Set(errors.map((error) => error.parameter ?? ""))];
  const more = names.length > SHOWN_NAMES ? ", …" : "";
  throw new Refusal("invalid-parameters", `Not valid: ${names.slice(0, SHOWN_NAMES).join(", ")}${more}`, { errors });
}

const SHOWN_NAMES = 5;

interface Parsed {
  readonly value: unknown;
  readonly errors: readonly ProblemError[];
}

function parseQuery(declaration: RouteDeclaration, search: URLSearchParams): Parsed {
  const known = Object.keys(declaration.query?.shape ?? {});
  const names = [...new Set(search.keys())];
  const misplaced = names.flatMap((name) => misplacedErrors(name, search.getAll(name).length, known));
  if (declaration.query === undefined) return { value: undefined, errors: misplaced };
  const parsed = declaration.query.safeParse(Object.fromEntries(search));
  if (parsed.success) return { value: parsed.data, errors: misplaced };
  return { value: undefined, errors: [...misplaced, ...parameterErrors(parsed.error.issues)] };
}

function misplacedErrors(name: string, count: number, known: readonly string[]): ProblemError[] {
  if (!known.includes(name)) return [unknownParameter(name, known)];
  return count > 1 ? [{ parameter: name, code: "repeated-parameter", detail: "This parameter may be given once" }] : [];
}

function parseHeaders(declaration: RouteDeclaration, headers: IncomingHttpHeaders): Parsed {
  if (declaration.headers === undefined) return { value: undefined, errors: [] };
  const parsed = declaration.headers.safeParse(headers);
  return parsed.success
    ? { value: parsed.data, errors: [] }
    : { value: undefined, errors: parameterErrors(parsed.error.issues) };
}
