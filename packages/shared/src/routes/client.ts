import { parseExactJson } from "../json/exact-json.ts";
import type { Problem } from "../records/problem.ts";
import type { RouteBodyInput, RouteId, RouteParamsInput, RouteQueryInput, RouteResult } from "./routes.ts";

/** Thrown by the client for every answer that is not a success; `problem` is the server's own explanation. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined) {
    super(problem?.detail ?? statusText(status));
    this.name = "ApiError";
    this.status = status;
    this.problem = problem;
  }
}

/** Explains the answer of a proxy, which is the only one without a problem. */
function statusText(status: number): string {
  if (status === 413) return `The request is too large for this server (${status})`;
  if (status >= 502 && status <= 504) return `The proxy cannot reach the Weft server (${status})`;
  return `The server answered ${status}`;
}

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Name]?: undefined }
  : { readonly [K in Name]: Value };
type OptionalPart<Name extends string, Value> = { readonly [K in Name]?: Value | undefined };

export type CallOptions<Id extends RouteId> = Part<"params", RouteParamsInput<Id>> &
  OptionalPart<"query", RouteQueryInput<Id>> &
  Part<"body", RouteBodyInput<Id>> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
    /** Sends the request even if the page is left meanwhile; the body must be small. */
    readonly keepalive?: boolean;
  };

export type Client = <Id extends RouteId>(route: Id, options: CallOptions<Id>) => Promise<RouteResult<Id>>;

/**
 * A client of every JSON route, typed by the route table and free of its schemas at run time.
 * `base` is the base address without a trailing slash; "" for the page's own origin.
 */
export function createClient(base: string, fetcher: typeof fetch = fetch): Client {
  const send = async (route: string, options: UntypedCall): Promise<unknown> => {
    const [method = "GET", template = "/"] = route.split(" ");
    const response = await fetcher(
      base + fillPath(template, options.params) + queryText(options.query),
      requestOf(method, options),
    );
    if (!response.ok) throw new ApiError(response.status, await readProblem(response));
    return response.status === 204 ? undefined : parseExactJson(await response.text());
  };
  // The server's tests prove that every answer has its declared shape; the compiler cannot see across the wire.
  return send as Client;
}

interface UntypedCall {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly keepalive?: boolean;
}

function requestOf(method: string, options: UntypedCall): RequestInit {
  const headers: Record<string, string> = { accept: "application/json", ...options.headers };
  const init: RequestInit = { method, headers, keepalive: options.keepalive ?? false };
  if (options.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(options.body);
  }
  if (options.signal !== undefined) init.signal = options.signal;
  return init;
}

/** Puts parameters into a route's template; slashes of `path` stay, everything else is encoded. */
export function fillPath(template: string, params: Readonly<Record<string, unknown>> | undefined): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params?.[name] ?? "");
    return name === "path" ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value);
  });
}

function queryText(query: Readonly<Record<string, unknown>> | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== "");
  if (pairs.length === 0) return "";
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)] as [string, string])).toString()}`;
}

/** The problem in a response; undefined if the response is not from Weft, but from a proxy. */
export async function readProblem(response: Response): Promise<Problem | undefined> {
  if (!(response.headers.get("content-type") ?? "").includes("json")) return undefined;
  const problem: unknown = await response.json().catch(() => undefined);
  const isOurs =
    typeof problem === "object" && problem !== null && "code" in problem && "errors" in problem && "detail" in problem;
  return isOurs && Array.isArray(problem.errors) ? (problem as Problem) : undefined; // written by our server
}
