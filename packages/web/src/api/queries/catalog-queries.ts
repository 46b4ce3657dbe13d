import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../client.ts";
import { routeKey, routeQuery } from "../route-query.ts";

const PAGE_SIZE = 500;

export function networkListQuery(q: string) {
  return queryOptions({
    queryKey: routeKey("GET /api/networks", { query: { q } }),
    queryFn: async ({ signal }) => {
      const page = await api("GET /api/networks", { query: { q, page_size: PAGE_SIZE }, signal });
      return { ...page, networks: page.networks.filter((network) => typeof network !== "string") };
    },
    placeholderData: keepPreviousData,
  });
}

export const networkQuery = (id: string, version: string | undefined) =>
  routeQuery("GET /api/networks/{id}", { params: { id }, query: { version } });

export function toolListQuery(q: string) {
  return queryOptions({
    queryKey: routeKey("GET /api/tools", { query: { q } }),
    queryFn: async ({ signal }) => {
      const page = await api("GET /api/tools", { query: { q, page_size: PAGE_SIZE }, signal });
      return { ...page, tools: page.tools.filter((tool) => typeof tool !== "string") };
    },
    placeholderData: keepPreviousData,
  });
}

/** The requested version of a tool, or the newest that is not deprecated. */
export const toolQuery = (id: string, version: string | undefined) =>
  version === undefined
    ? routeQuery("GET /api/tools/{id}", { params: { id } })
    : routeQuery("GET /api/tools/{id}/{version}", { params: { id, version } });
