import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { NetworkSummary, ToolSummary } from "@weft/shared/records/process-record.ts";
import { api } from "./client.ts";

export const catalogKeys = {
  all: ["catalog"] as const,
  networkList: (q: string) => ["catalog", "networks", q] as const,
  network: (id: string, version: string | undefined) => ["catalog", "network", id, version ?? ""] as const,
  toolList: (q: string) => ["catalog", "tools", q] as const,
  tool: (id: string, version: string | undefined) => ["catalog", "tool", id, version ?? ""] as const,
};

export interface NetworkPage {
  readonly networks: readonly NetworkSummary[];
  readonly total: number | null;
  readonly next_page_token: string;
}

export interface ToolPage {
  readonly tools: readonly ToolSummary[];
  readonly total: number | null;
  readonly next_page_token: string;
}

const PAGE_SIZE = 500;

export function networkListQuery(q: string) {
  return queryOptions({
    queryKey: catalogKeys.networkList(q),
    queryFn: async ({ signal }): Promise<NetworkPage> => {
      const page = await api("GET /api/networks", { query: { q: q || undefined, page_size: PAGE_SIZE }, signal });
      return { ...page, networks: page.networks.filter((network) => typeof network !== "string") };
    },
    placeholderData: keepPreviousData,
  });
}

export function networkQuery(id: string, version: string | undefined) {
  return queryOptions({
    queryKey: catalogKeys.network(id, version),
    queryFn: ({ signal }) => api("GET /api/networks/{id}", { params: { id }, query: { version }, signal }),
  });
}

export function toolListQuery(q: string) {
  return queryOptions({
    queryKey: catalogKeys.toolList(q),
    queryFn: async ({ signal }): Promise<ToolPage> => {
      const page = await api("GET /api/tools", { query: { q: q || undefined, page_size: PAGE_SIZE }, signal });
      return { ...page, tools: page.tools.filter((tool) => typeof tool !== "string") };
    },
    placeholderData: keepPreviousData,
  });
}

/** The requested version of a tool, or the newest that is not deprecated. */
export function toolQuery(id: string, version: string | undefined) {
  return queryOptions({
    queryKey: catalogKeys.tool(id, version),
    queryFn: ({ signal }) =>
      version === undefined
        ? api("GET /api/tools/{id}", { params: { id }, signal })
        : api("GET /api/tools/{id}/{version}", { params: { id, version }, signal }),
  });
}
