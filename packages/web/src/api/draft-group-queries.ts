import { queryOptions } from "@tanstack/react-query";
import type { DraftGroup, PublishedGroup, PublishGroup, UsedProcess } from "@weft/shared/records/draft-group-record.ts";
import { api } from "./client.ts";

export const groupKeys = {
  outdated: ({ kind, id, version }: UsedProcess) => ["catalog", "outdated", kind, id, version] as const,
  /** Results of tests change it, so it is next to them. */
  group: (id: string) => ["tests", "group", id] as const,
};

/** Networks that run an older version of a tool or network. */
export function outdatedQuery(used: UsedProcess) {
  return queryOptions({
    queryKey: groupKeys.outdated(used),
    queryFn: ({ signal }) => api("GET /api/upgrades", { query: used, signal }),
  });
}

export function upgradeNetworks(used: UsedProcess, networks: string[]): Promise<DraftGroup> {
  return api("POST /api/upgrades", { body: { ...used, networks } });
}

/** Drafts that belong together. */
export function groupQuery(id: string) {
  return queryOptions({
    queryKey: groupKeys.group(id),
    queryFn: ({ signal }) => api("GET /api/draft-groups/{group_id}", { params: { group_id: id }, signal }),
    staleTime: 0,
  });
}

export function testGroup(id: string): Promise<DraftGroup> {
  return api("POST /api/draft-groups/{group_id}/tests", { params: { group_id: id } });
}

export function publishGroup(id: string, body: PublishGroup): Promise<PublishedGroup> {
  return api("POST /api/draft-groups/{group_id}/publish", { params: { group_id: id }, body });
}

export async function deleteGroup(id: string): Promise<void> {
  await api("DELETE /api/draft-groups/{group_id}", { params: { group_id: id } });
}
