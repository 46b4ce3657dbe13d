import { queryOptions } from "@tanstack/react-query";
import type { CreateDraft, Draft, PublishedVersion } from "@weft/shared/records/draft-record.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import { api } from "./client.ts";

export const draftKeys = {
  all: ["drafts"] as const,
  list: ["drafts", "list"] as const,
  draft: (id: string) => ["drafts", "one", id] as const,
  check: (id: string, revision: number) => ["drafts", "check", id, revision] as const,
  documents: ["drafts", "documents"] as const,
};

/** All drafts, last changed first. */
export function draftListQuery() {
  return queryOptions({
    queryKey: draftKeys.list,
    queryFn: async ({ signal }) => (await api("GET /api/drafts", { signal })).drafts,
    staleTime: 0,
  });
}

/** A draft as it is when its page opens; from then on the page itself follows it. */
export function draftQuery(id: string) {
  return queryOptions({
    queryKey: draftKeys.draft(id),
    queryFn: ({ signal }) => loadDraft(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** What the server says about one revision of a draft. */
export function draftCheckQuery(id: string, revision: number) {
  return queryOptions({
    queryKey: draftKeys.check(id, revision),
    queryFn: ({ signal }) => api("GET /api/drafts/{draft_id}/check", { params: { draft_id: id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The documents of the catalog, which networks can use. */
export function documentListQuery() {
  return queryOptions({
    queryKey: draftKeys.documents,
    queryFn: ({ signal }) => api("GET /api/documents", { signal }),
  });
}

/** The text of a document of the catalog; undefined if it has none at the path. */
export async function readDocument(path: string): Promise<string | undefined> {
  try {
    return (await api("GET /api/documents/{path}", { params: { path } })).text;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

export async function loadDraft(id: string, signal?: AbortSignal): Promise<Draft> {
  return api("GET /api/drafts/{draft_id}", { params: { draft_id: id }, ...(signal === undefined ? {} : { signal }) });
}

export async function createDraft(body: CreateDraft): Promise<Draft> {
  return api("POST /api/drafts", { body });
}

/** Throws ApiError with status 412 if the draft has another revision. */
export async function saveDraft(id: string, text: string, revision: number): Promise<Draft> {
  const headers = { "if-match": `"${revision}"` };
  return api("POST /api/drafts/{draft_id}", { params: { draft_id: id }, body: { text }, headers });
}

export async function deleteDraft(id: string): Promise<void> {
  await api("DELETE /api/drafts/{draft_id}", { params: { draft_id: id } });
}

export async function publishDraft(id: string, version: string, revision: number): Promise<PublishedVersion> {
  const headers = { "if-match": `"${revision}"` };
  return api("POST /api/drafts/{draft_id}/publish", { params: { draft_id: id }, body: { version }, headers });
}
