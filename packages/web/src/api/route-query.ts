import {
  QueryClient,
  queryOptions,
  type QueryFunctionContext,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { ApiError, type CallOptions } from "@weft/shared/routes/client.ts";
import type { RouteId, RouteResult } from "@weft/shared/routes/routes.ts";
import { api } from "./client.ts";

type RouteRequest<Id extends RouteId> = Omit<CallOptions<Id>, "signal" | "keepalive">;

/** A new stamp is a new key, so the answer is read again. */
type Stamp = string | number;

type RouteKey = readonly [route: RouteId, request: KeyRequest, stamp?: Stamp];
interface KeyRequest {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly headers?: object | undefined;
}

/**
 * The key of a route's answer in the query cache. It also names all answers to requests that contain this request:
 * without a request, all answers of the route.
 */
export function routeKey(route: RouteId, { query, ...others }: KeyRequest = {}, stamp?: Stamp): RouteKey {
  // The client sends no others either.
  const sent = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== "");
  const request = sent.length === 0 ? others : { ...others, query: Object.fromEntries(sent) };
  return stamp === undefined ? [route, request] : [route, request, stamp];
}

/** The query that reads a route. */
export function routeQuery<Id extends RouteId>(
  route: Id,
  ...[request, stamp]: {} extends RouteRequest<Id>
    ? [request?: RouteRequest<Id>, stamp?: Stamp]
    : [request: RouteRequest<Id>, stamp?: Stamp]
) {
  return queryOptions({
    // The compiler cannot see that the parts of an open Id's request are objects.
    queryKey: routeKey(route, request as KeyRequest | undefined, stamp),
    queryFn: ({ signal }: QueryFunctionContext<RouteKey>): Promise<RouteResult<Id>> =>
      // All parts that CallOptions requires; again, the compiler cannot compare them for an open Id.
      api(route, { ...request, signal } as CallOptions<Id>),
  });
}

/** While an answer loads, shows another page or search of the list, but never entries that another filter chose. */
export function placeholderOf(now: RouteKey) {
  return <Data>(before: Data | undefined, query: { readonly queryKey: RouteKey } | undefined): Data | undefined =>
    query !== undefined && unpaged(query.queryKey) === unpaged(now) ? before : undefined;
}

function unpaged([, { params, query }]: RouteKey): string {
  return JSON.stringify([params, { ...query, q: undefined, page_token: undefined }]);
}

/** Reads the shown answers of some routes again, and the others when they are shown next. */
export async function invalidateRoutes(cache: QueryClient, ...routes: readonly RouteId[]): Promise<void> {
  await Promise.all(routes.map((route) => cache.invalidateQueries({ queryKey: routeKey(route) })));
}

/**
 * A change after which the answers of some routes are read again; `onDone` comes first, because it may close the page
 * that shows them.
 */
export function useChange<Result, Request = void>(
  routes: readonly RouteId[],
  change: (request: Request) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (result) => {
      onDone?.(result);
      await invalidateRoutes(cache, ...routes);
    },
  });
}

/**
 * `networkMode: "always"`: a machine without a network still reaches its own server. Refusals are final; only a lost
 * connection or a status of 500 and above is retried.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 15_000, networkMode: "always", retry: (count, error) => count < 2 && isTransient(error) },
      mutations: { networkMode: "always" },
    },
  });
}

function isTransient(error: Error): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}
