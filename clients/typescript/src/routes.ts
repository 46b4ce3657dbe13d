import type { paths } from "./api.ts";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** Every operation of the API: `GET /api/runs/{run_id}/status`. */
export type RouteId = {
  [Path in keyof paths]: {
    [Verb in Method]: paths[Path][Verb] extends { responses: unknown } ? `${Uppercase<Verb>} ${Path}` : never;
  }[Method];
}[keyof paths];

type Operation<Id extends RouteId> = Id extends `${infer Verb} ${infer Path}`
  ? Path extends keyof paths
    ? Lowercase<Verb> extends keyof paths[Path]
      ? paths[Path][Lowercase<Verb>]
      : never
    : never
  : never;

type Parameters<Id extends RouteId, Place extends string> =
  Operation<Id> extends { parameters: { [Key in Place]?: infer Values } } ? NonNullable<Values> : never;

type Body<Id extends RouteId> =
  Operation<Id> extends { requestBody: { content: { "application/json": infer Json } } } ? Json : never;

/** An operation without a body matches with an unknown one. */
type OptionalBody<Id extends RouteId> =
  Operation<Id> extends { requestBody?: { content: { "application/json": infer Json } } }
    ? unknown extends Json
      ? never
      : Json
    : never;

type Answers<Id extends RouteId> = Operation<Id> extends { responses: infer All } ? All : never;

/** The answer of the server, if it is JSON. */
export type RouteResult<Id extends RouteId> = {
  [Status in keyof Answers<Id>]: Status extends 200 | 201 | 202
    ? Answers<Id>[Status] extends { content: { "application/json": infer Json } }
      ? Json
      : never
    : never;
}[keyof Answers<Id>];

type Field<Name extends string, Value> = [Value] extends [never] ? unknown : { readonly [Key in Name]: Value };
type OptionalField<Name extends string, Value> = [Value] extends [never] ? unknown : { readonly [Key in Name]?: Value };

/** The parameters and the body that an operation takes. */
export type RouteRequest<Id extends RouteId> = Field<"path", Parameters<Id, "path">> &
  OptionalField<"query", Parameters<Id, "query">> &
  Field<"body", Body<Id>> &
  OptionalField<"body", OptionalBody<Id>> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  };
