import { queryOptions } from "@tanstack/react-query";
import type { CommitResult } from "@weft/shared/records/commit-record.ts";
import type {
  DraftGroup,
  ImportUrl,
  PublishGroup,
  PublishedGroup,
  UsedProcess,
} from "@weft/shared/records/draft-group-record.ts";
import type {
  CreateDraft,
  Draft,
  DraftCheck,
  DraftFileChange,
  PublishedVersion,
} from "@weft/shared/records/draft-record.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import { basePath } from "./base-path.ts";
import { api } from "./client.ts";
import { sendFile } from "./send-file.ts";

/** The key of the mutation that publishes a draft or a group. */
export const publishingKey = (id: string) => ["publish-drafts", id] as const;

export const draftKeys = {
  all: ["drafts"] as const,
  list: ["drafts", "list"] as const,
  draft: (id: string) => ["drafts", "one", id] as const,
  check: (id: string, revision: number) => ["drafts", "check", id, revision] as const,
  files: (id: string, revision: number) => ["drafts", "files", id, revision] as const,
  file: (id: string, revision: number, path: string) => ["drafts", "files", id, revision, path] as const,
  editors: (id: string) => ["drafts", "editors", id] as const,
  documents: ["drafts", "documents"] as const,
};

export const groupKeys = {
  outdated: ({ kind, id, version }: UsedProcess) => ["catalog", "outdated", kind, id, version] as const,
  /** Results of tests change it, so it is next to them. */
  group: (id: string) => ["tests", "group", id] as const,
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

/** The server's findings about one revision of a draft. */
export async function checkDraft(id: string, revision: number, signal: AbortSignal): Promise<DraftCheck> {
  return api("GET /api/drafts/{draft_id}/check", { params: { draft_id: id }, headers: seen(revision), signal });
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

/** Names the revision that the user has seen. The server refuses any other one with 412. */
export function seen(revision: number): { readonly "if-match": string } {
  return { "if-match": `"${revision}"` };
}

/** The browser sends a small text even if its page is left meanwhile. */
const isSmall = (texts: readonly string[]): boolean => texts.join("").length < 15_000;

/** Throws ApiError with status 412 if the draft has another revision. */
export async function saveDraft(id: string, text: string, revision: number): Promise<Draft> {
  const [params, headers, keepalive] = [{ draft_id: id }, seen(revision), isSmall([text])];
  return api("POST /api/drafts/{draft_id}", { params, body: { text }, headers, keepalive });
}

/** With a revision: only if nobody has changed the draft since. */
export async function deleteDraft(id: string, revision?: number): Promise<void> {
  const headers = revision === undefined ? {} : seen(revision);
  await api("DELETE /api/drafts/{draft_id}", { params: { draft_id: id }, headers });
}

/** The files next to the document of one revision. */
export function draftFilesQuery(id: string, revision: number) {
  return queryOptions({
    queryKey: draftKeys.files(id, revision),
    queryFn: ({ signal }) => api("GET /api/drafts/{draft_id}/files", { params: { draft_id: id }, signal }),
  });
}

/** A file of one revision, with its text in the version that the draft is based on. */
export function draftFileQuery(id: string, revision: number, path: string) {
  return queryOptions({
    queryKey: draftKeys.file(id, revision, path),
    queryFn: ({ signal }) => api("GET /api/drafts/{draft_id}/files/{path}", { params: { draft_id: id, path }, signal }),
  });
}

/** The text of a file; null: it is not text; undefined: the draft has no such file. */
export async function loadDraftFile(id: string, path: string): Promise<string | null | undefined> {
  try {
    return (await api("GET /api/drafts/{draft_id}/files/{path}", { params: { draft_id: id, path } })).text;
  } catch (error) {
    if (error instanceof ApiError && error.problem?.code === "file-not-found") return undefined;
    throw error;
  }
}

/** Throws ApiError with status 412 if the draft has another revision. */
export async function changeDraftFiles(id: string, changes: DraftFileChange[], revision: number): Promise<Draft> {
  const keepalive = isSmall(changes.map((change) => (change.do === "write" ? change.text : "")));
  const [params, headers] = [{ draft_id: id }, seen(revision)];
  return api("POST /api/drafts/{draft_id}/files", { params, body: { changes }, headers, keepalive });
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
  const body = { version, ...(anyway ? { anyway } : {}) };
  return api("POST /api/drafts/{draft_id}/publish", { params: { draft_id: id }, body, headers: seen(revision) });
}

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
