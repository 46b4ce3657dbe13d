import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { WesDocument } from "@weft/shared/records/wes-document-record.ts";
import { api } from "./client.ts";

const REFETCH_MS = 5000;
const LOAD_REFETCH_MS = 30_000;
const PAGE_SIZE = 50;

const DOCUMENT_PAGE_SIZE = 50;

export const wesDocumentKeys = { all: ["wes-documents"] as const };

/** Which jobs wait for what, by run. */
export function queueQuery(pageToken: string) {
  return queryOptions({
    queryKey: ["queue", pageToken] as const,
    queryFn: ({ signal }) =>
      api("GET /api/server/queue", { query: { page_size: PAGE_SIZE, page_token: pageToken }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });
}

export function loadQuery(hours: number) {
  return queryOptions({
    queryKey: ["load", hours] as const,
    queryFn: ({ signal }) => api("GET /api/server/load", { query: { hours }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LOAD_REFETCH_MS,
  });
}

export function backendsQuery() {
  return queryOptions({
    queryKey: ["backends"] as const,
    queryFn: ({ signal }) => api("GET /api/server/backends", { signal }),
    refetchInterval: REFETCH_MS,
  });
}

/** Disk usage of finished runs. `process`: one network or tool; "": all of them. */
export function diskQuery(process: string, pageToken: string) {
  return queryOptions({
    queryKey: ["disk", process, pageToken] as const,
    queryFn: ({ signal }) =>
      api("GET /api/server/disk", {
        query: { process: process === "" ? undefined : process, page_size: PAGE_SIZE, page_token: pageToken },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Runs the checks of `weft doctor`; repeated only on demand, because it starts containers. */
export function machineQuery() {
  return queryOptions({
    queryKey: ["machine"] as const,
    queryFn: ({ signal }) => api("GET /api/server/checks", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface AuditFilter {
  readonly principal: string;
  readonly action: string;
  /** "": all entries; "yes": only refused requests; "no": only allowed ones. */
  readonly refused: string;
  /** RFC 3339; "": no limit. */
  readonly since: string;
  readonly pageToken: string;
}

/** The audit log, newest first. */
export function auditQuery(filter: AuditFilter) {
  return queryOptions({
    queryKey: ["audit", filter] as const,
    queryFn: ({ signal }) => {
      const { principal, action, refused, since, pageToken } = filter;
      const given = (text: string) => (text === "" ? undefined : text);
      return api("GET /api/audit", {
        query: {
          principal: given(principal),
          action: given(action),
          refused: refused === "" ? undefined : refused === "yes" ? "true" : "false",
          since: given(since),
          page_size: PAGE_SIZE,
          page_token: pageToken,
        },
        signal,
      });
    },
    placeholderData: keepPreviousData,
  });
}

/** The documents that arrived through WES, newest first. */
export function wesDocumentsQuery(pageToken: string) {
  return queryOptions({
    queryKey: [...wesDocumentKeys.all, "list", pageToken] as const,
    queryFn: ({ signal }) =>
      api("GET /api/wes-documents", { query: { page_size: DOCUMENT_PAGE_SIZE, page_token: pageToken }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** One document with its files. */
export function wesDocumentQuery(digest: string) {
  return queryOptions({
    queryKey: [...wesDocumentKeys.all, digest] as const,
    queryFn: ({ signal }) => api("GET /api/wes-documents/{digest}", { params: { digest }, signal }),
  });
}

/** Lets runners run a document, or no longer. */
export function setApproval(digest: string, isApproved: boolean): Promise<WesDocument> {
  const params = { digest };
  return isApproved
    ? api("POST /api/wes-documents/{digest}/approve", { params })
    : api("POST /api/wes-documents/{digest}/withdraw", { params });
}
