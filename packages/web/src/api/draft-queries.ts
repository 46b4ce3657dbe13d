import { queryOptions } from "@tanstack/react-query";
import type { CommitResult } from "@weft/shared/records/commit-record.ts";
import type {
  CreateDraft,
  Draft,
  DraftFileChange,
  DraftFileText,
  PublishedVersion,
} from "@weft/shared/records/draft-record.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import { basePath } from "./base-path.ts";
import { api } from "./client.ts";

/** The key of the mutation that publishes a draft or a group. */
export const publishingKey = (id: string) => ["publish-drafts", id] as const;

export const draftKeys = {
  all: ["drafts"] as const,
  list: ["drafts", "list"] as const,
  draft: (id: string) => ["drafts", "one", id] as const,
  check: (id: string, revision: number) => ["drafts", "check", id, revision] as const,
  files: (id: string) => ["drafts", "files", id] as const,
  file: (id: string, path: string) => ["drafts", "files", id, path] as const,
  editors: (id: string) => ["drafts", "editors", id] as const,
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

export function documentQuery(path: string) {
  return queryOptions({
    queryKey: [...draftKeys.documents, path],
    queryFn: async () => (await readDocument(path)) ?? null,
  });
}

/** Commits published versions, if the server allows it. */
export function commitVersions(versions: readonly PublishedVersion[]): Promise<CommitResult> {
  const named = versions.map(({ kind, id, version }) => ({ kind, id, version }));
  return api("POST /api/commits", { body: { versions: named } });
}

export async function loadDraft(id: string, signal?: AbortSignal): Promise<Draft> {
  return api("GET /api/drafts/{draft_id}", { params: { draft_id: id }, ...(signal === undefined ? {} : { signal }) });
}

/** Names of the others who have a draft open. Asking tells them about this window. */
export function draftEditorsQuery(id: string, editor: string) {
  return queryOptions({
    queryKey: draftKeys.editors(id),
    queryFn: async ({ signal }) => {
      const found = await api("POST /api/drafts/{draft_id}/editors", {
        params: { draft_id: id },
        body: { editor },
        signal,
      });
      return found.editors.map(({ name }) => name);
    },
    refetchInterval: ASK_EVERY_MS,
    gcTime: 0,
  });
}

const ASK_EVERY_MS = 4000;

/** Tells the others that this window closes. */
export function leaveDraft(id: string, editor: string): void {
  const url = `${basePath}/api/drafts/${id}/editors`;
  const body = JSON.stringify({ editor, leaves: true });
  const headers = { "Content-Type": "application/json" };
  // Where the message is lost, the server forgets the window by itself.
  void fetch(url, { method: "POST", headers, body, keepalive: true }).catch(() => undefined);
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

/** The files next to the document. */
export function draftFilesQuery(id: string) {
  return queryOptions({
    queryKey: draftKeys.files(id),
    queryFn: ({ signal }) => api("GET /api/drafts/{draft_id}/files", { params: { draft_id: id }, signal }),
    staleTime: 0,
  });
}

export function draftFileQuery(id: string, path: string) {
  return queryOptions({
    queryKey: draftKeys.file(id, path),
    queryFn: () => loadDraftFile(id, path),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

function loadDraftFile(id: string, path: string): Promise<DraftFileText> {
  return api("GET /api/drafts/{draft_id}/files/{path}", { params: { draft_id: id, path } });
}

const ATTEMPTS = 5;

/**
 * Changes files of a draft, whatever its revision is, unless `isStill` says that someone else has changed what the user
 * has seen. Other changes of the draft do not matter.
 */
export async function changeDraftFiles(
  id: string,
  changes: DraftFileChange[],
  isStill: () => Promise<boolean> = async () => true,
): Promise<Draft> {
  for (let attempt = 1; ; attempt++) {
    const { revision } = await loadDraft(id);
    if (!(await isStill()))
      throw new Error("Someone else has changed this file meanwhile. Reload it to see the changes.");
    try {
      const headers = { "if-match": `"${revision}"` };
      return await api("POST /api/drafts/{draft_id}/files", { params: { draft_id: id }, body: { changes }, headers });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Saves a file that had the text `before` when the user began. */
export async function saveDraftFile(id: string, path: string, { before, after }: TextEdit): Promise<Draft> {
  return changeDraftFiles(id, [{ do: "write", path, text: after }], async () => {
    return (await loadDraftFile(id, path)).text === before;
  });
}

interface TextEdit {
  readonly before: string;
  readonly after: string;
}

export interface PublishRequest {
  readonly version: string;
  readonly revision: number;
  /** Even if tests have not passed. */
  readonly anyway: boolean;
}

export async function publishDraft(
  id: string,
  { version, revision, anyway }: PublishRequest,
): Promise<PublishedVersion> {
  const headers = { "if-match": `"${revision}"` };
  const body = { version, ...(anyway ? { anyway } : {}) };
  return api("POST /api/drafts/{draft_id}/publish", { params: { draft_id: id }, body, headers });
}
