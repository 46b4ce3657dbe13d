import { z } from "zod";
import type { ProblemCode } from "../records/refusal.ts";
import type { Role } from "../records/role.ts";
import { PATH_PARAMETERS } from "./parameters.ts";

/**
 * One answer of a route. `schema` describes a JSON body; `mediaTypes` names other forms of the body, which the client
 * selects by `Accept` or a parameter. An answer with neither has no body.
 */
export interface RouteAnswer {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly mediaTypes?: readonly string[];
  readonly headers?: readonly string[];
  /** Path for `Location`, with fields of the body in braces. If only `headers` names it: the `url` of the body. */
  readonly location?: `/api/${string}`;
  /** True for a response that only older clients request, and that is no longer documented. */
  readonly isDeprecated?: true;
}

/**
 * The one declaration of a route: it validates requests, types the handlers and the web client, and generates OpenAPI.
 * Path parameters are in braces: `/api/runs/{run_id}`.
 */
export interface RouteDeclaration {
  readonly operationId: string;
  readonly tag:
    | "networks"
    | "tools"
    | "drafts"
    | "datasets"
    | "runs"
    | "events"
    | "files"
    | "provenance"
    | "notifications"
    | "automations"
    | "server"
    | "session"
    | "wes"
    | "trs";
  readonly summary: string;
  readonly description?: string;
  /** Absent: PATH_PARAMETERS has those of the path. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** A request without a body is treated as one with an empty object. */
  readonly bodyIsOptional?: true;
  /** The JSON may also come as the part `run` of a form, with files that it names as `form:<part>`. */
  readonly takesForm?: true;
  /** Media type of a body that is not JSON (then `body` is absent and the handler reads a stream). */
  readonly bodyMediaType?: string;
  /** Fields of a form that the handler reads, in addition to files. */
  readonly form?: z.ZodObject;
  /** True for a route that is called every few seconds and has no lasting effect: the audit log records only refusals. */
  readonly isUnaudited?: true;
  /** The required role; `open`: answered without a login. */
  readonly access: Role | "open";
  /** Runners may use the route only for their own runs. */
  readonly onlyOwnRuns?: true;
  readonly answers: { readonly [status: number]: RouteAnswer };
  /**
   * Refusals in addition to those that follow from the method, the path, the body and the access (`possibleProblems`).
   * One that follows may be listed to precede another of its status in the documentation.
   */
  readonly problems?: readonly ProblemCode[];
}

export type RouteKey = `${"GET" | "POST" | "DELETE"} /${string}`;
type Tag = RouteDeclaration["tag"];
/** Routes that share a tag, except those that name another one. */
export type RouteTable = { readonly [key: RouteKey]: Omit<RouteDeclaration, "tag"> & { readonly tag?: Tag } };

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type Known = typeof PATH_PARAMETERS;
type KnownIn<Path> = { [Name in NamesIn<Path> & keyof Known]: Known[Name] };
type ParamsOf<Path, Route> = Route extends { readonly params: z.ZodObject }
  ? unknown
  : [NamesIn<Path>] extends [never]
    ? unknown
    : { readonly params: z.ZodObject<KnownIn<Path>> };

/** Adds the tag that most of the routes have, and the parameters of their paths. */
export function routesOf<Table extends RouteTable>(
  tag: Tag,
  table: Table,
): { readonly [Key in keyof Table]: Table[Key] & { readonly tag: Tag } & ParamsOf<Key, Table[Key]> } {
  const complete = Object.entries(table).map(([key, route]) => [key, { tag, ...paramsOf(key), ...route }]);
  return Object.fromEntries(complete) as ReturnType<typeof routesOf<Table>>; // Object.entries widens the keys of the table
}

function paramsOf(path: string): { readonly params?: z.ZodObject } {
  const known: Readonly<Record<string, z.ZodType | undefined>> = PATH_PARAMETERS;
  const found = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) => {
    const schema = known[name];
    return schema === undefined ? [] : [[name, schema] as const];
  });
  return found.length === 0 ? {} : { params: z.object(Object.fromEntries(found)) };
}
