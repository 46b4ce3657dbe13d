import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { basePath } from "./base-path.ts";
import { api } from "./client.ts";

export interface FileSearch {
  readonly run?: string | undefined;
  readonly job?: string | undefined;
  readonly step?: string | undefined;
  readonly sample?: string | undefined;
  readonly port?: string | undefined;
  readonly direction?: "input" | "output" | undefined;
  readonly scope?: "run" | "job" | undefined;
  readonly q?: string | undefined;
  readonly checksum?: string | undefined;
  readonly tool?: string | undefined;
  readonly version?: string | undefined;
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

interface LineageSearch {
  /** How many runs far to look. */
  readonly depth: number;
  /** Undefined: all samples together. */
  readonly sample: string | undefined;
}

/** The files and jobs of a run, folded by step, and the runs before and after it. */
export function runLineageQuery(runId: string, search: LineageSearch) {
  return queryOptions({
    queryKey: ["file-occurrences", runId, "lineage", search] as const,
    queryFn: ({ signal }) =>
      api("GET /api/runs/{run_id}/lineage", { params: { run_id: runId }, query: search, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Whether the second of two finished runs produced the same outputs as the first. */
export function comparisonQuery(first: string, second: string) {
  return queryOptions({
    queryKey: ["comparison", first, second] as const,
    queryFn: ({ signal }) =>
      api("GET /api/runs/{run_id}/comparison", { params: { run_id: first }, query: { with: second }, signal }),
  });
}

/** A run in another format. */
export function provenanceUrl(runId: string, format: "prov-json" | "ro-crate"): string {
  return `${basePath}/api/runs/${runId}/provenance?format=${format}`;
}
