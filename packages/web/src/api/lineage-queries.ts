import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { basePath } from "../base-path.ts";
import { api } from "./client.ts";

export interface FileSearch {
  readonly run?: string | undefined;
  readonly job?: string | undefined;
  readonly direction?: "input" | "output" | undefined;
  readonly scope?: "run" | "job" | undefined;
  readonly q?: string | undefined;
  readonly checksum?: string | undefined;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
}

export const lineageKeys = { ofRun: (runId: string) => ["file-occurrences", runId] as const };

/** Where files were read or written. */
export function fileOccurrencesQuery(search: FileSearch) {
  const { pageSize, pageToken, ...filters } = search;
  return queryOptions({
    queryKey: ["file-occurrences", search.run ?? "", search] as const,
    queryFn: ({ signal }) =>
      api("GET /api/provenance/files", { query: { ...filters, page_size: pageSize, page_token: pageToken }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** W3C PROV-JSON of a run. */
export function provenanceUrl(runId: string): string {
  return `${basePath}/api/runs/${runId}/provenance?format=prov-json`;
}
