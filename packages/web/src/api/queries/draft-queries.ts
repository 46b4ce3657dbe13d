import { queryOptions } from "@tanstack/react-query";
import type { DraftGroup, ImportUrl } from "@weft/shared/records/draft-group-record.ts";
import type { CreateDraft, Draft, DraftFileChange } from "@weft/shared/records/draft-record.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import { api } from "../client.ts";
import { routeKey, routeQuery } from "../route-query.ts";
import { sendFile } from "../send-file.ts";

/** The key of the mutation that publishes a draft or a group. */
export const publishingKey = (id: string) => ["publish-drafts", id] as const;

/** All drafts, last changed first; no event says that they change. */
export const draftListQuery = () => ({ ...routeQuery("GET /api/drafts"), staleTime: 0 });

/** A draft at the time when its page opens; afterwards, the page itself follows its changes. */
export const draftQuery = (id: string) => ({
  ...routeQuery("GET /api/drafts/{draft_id}", { params: { draft_id: id } }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

/** The text of a document in the catalog; undefined if there is none at the path. */
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
    queryKey: routeKey("GET /api/documents/{path}", { params: { path } }),
    queryFn: async () => (await readDocument(path)) ?? null,
  });
}

export function loadDraft(id: string): Promise<Draft> {
  return api("GET /api/drafts/{draft_id}", { params: { draft_id: id } });
}

/** The others who have a draft open. Asking tells them about this window. */
export function draftEditorsQuery(id: string, editor: string) {
  return {
    ...routeQuery("POST /api/drafts/{draft_id}/editors", { params: { draft_id: id }, body: { editor } }),
    refetchInterval: ASK_EVERY_MS,
    gcTime: 0,
  };
}

const ASK_EVERY_MS = 4000;

/** Tells other editors that this window closes. */
export function leaveDraft(id: string, editor: string): void {
  const [params, body] = [{ draft_id: id }, { editor, leaves: true }];
  // If the message is lost, the server forgets the window after a while.
  void api("POST /api/drafts/{draft_id}/editors", { params, body, keepalive: true }).catch(() => undefined);
}

export function createDraft(body: CreateDraft): Promise<Draft> {
  return api("POST /api/drafts", { body });
}

/** Names the revision that the user has seen. The server refuses any other one with 412. */
export function seen(revision: number): { readonly "if-match": string } {
  return { "if-match": `"${revision}"` };
}

/** Bytes of a body that browsers still send after the user has left the page; they allow 64 KiB. */
const SMALL_BYTES = 60_000;

/** Changes the document, files next to it, or both. Throws ApiError with status 412 if the draft has another revision. */
export async function saveDraft(
  id: string,
  { text, changes = [] }: { readonly text?: string | undefined; readonly changes?: DraftFileChange[] },
  revision: number,
): Promise<Draft> {
  const { size } = new Blob([JSON.stringify([text, changes])]);
  const request = { params: { draft_id: id }, headers: seen(revision), keepalive: size < SMALL_BYTES };
  const document = text === undefined ? {} : { text };
  if (changes.length > 0)
    return api("POST /api/drafts/{draft_id}/files", { ...request, body: { ...document, changes } });
  return api("POST /api/drafts/{draft_id}", { ...request, body: { text: text ?? "" } });
}

/** With a revision: only if nobody has changed the draft since. */
export async function deleteDraft(id: string, revision?: number): Promise<void> {
  const headers = revision === undefined ? {} : seen(revision);
  await api("DELETE /api/drafts/{draft_id}", { params: { draft_id: id }, headers });
}

/** The files next to the document of one revision. */
export const draftFilesQuery = (id: string, revision: number) =>
  routeQuery("GET /api/drafts/{draft_id}/files", { params: { draft_id: id } }, revision);

/** The text of a file; null if it is not text, undefined if the draft has no such file. */
export async function loadDraftFile(id: string, path: string): Promise<string | null | undefined> {
  try {
    return (await api("GET /api/drafts/{draft_id}/files/{path}", { params: { draft_id: id, path } })).text;
  } catch (error) {
    if (error instanceof ApiError && error.problem?.code === "file-not-found") return undefined;
    throw error;
  }
}

export async function hasDraftFile(id: string, path: string): Promise<boolean> {
  const { files } = await api("GET /api/drafts/{draft_id}/files", { params: { draft_id: id } });
  return files.some((file) => file.path === path);
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
