import { queryOptions } from "@tanstack/react-query";
import type {
  DraftGroup,
  ImportUrl,
  PublishedGroup,
  PublishGroup,
  UsedProcess,
} from "@weft/shared/records/draft-group-record.ts";
import { api } from "./client.ts";
import { sendFile } from "./send-file.ts";

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

export type Collisions = NonNullable<ImportUrl["collisions"]>;

/** Imports a zip. */
export function importFiles(
  zip: Blob,
  { title, collisions }: { readonly title: string; readonly collisions: Collisions },
): Promise<DraftGroup> {
  const query = new URLSearchParams({ title: title.slice(0, 200), collisions });
  const path = `/api/draft-imports?${query.toString()}`;
  const file = new File([zip], "import.zip");
  return sendFile<DraftGroup>({ path, file, mediaType: "application/zip" }, () => {}).done;
}

export function importUrl(body: ImportUrl): Promise<DraftGroup> {
  return api("POST /api/draft-imports/url", { body });
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
