import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { WesDocument } from "@weft/shared/records/wes-document-record.ts";
import { api } from "./client.ts";

const PAGE_SIZE = 50;

export const wesDocumentKeys = { all: ["wes-documents"] as const };

/** The documents that arrived through WES, newest first. */
export function wesDocumentsQuery(pageToken: string) {
  return queryOptions({
    queryKey: [...wesDocumentKeys.all, "list", pageToken] as const,
    queryFn: ({ signal }) =>
      api("GET /api/wes-documents", { query: { page_size: PAGE_SIZE, page_token: pageToken }, signal }),
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
