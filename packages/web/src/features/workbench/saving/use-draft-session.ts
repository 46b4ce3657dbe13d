import type { Draft, DraftFileChange } from "@weft/shared/records/draft-record.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import { api } from "../../../api/client.ts";
import { changeDraftFiles, loadDraft, loadDraftFile, saveDraft } from "../../../api/queries/draft-queries.ts";
import { WindowStorage } from "../../../ui/window-storage.ts";
import {
  DOCUMENT,
  DraftGone,
  type DraftServer,
  DraftSession,
  isOnlyHere,
  type SavedDraft,
  StaleRevision,
  type Unsaved,
  type UnsavedStore,
} from "./draft-session.ts";

const LOOK_EVERY_MS = 4000;

/** A page that is opened again continues its session, which may not have saved everything yet. */
const sessions = new Map<string, DraftSession>();

/** The session of a draft, as long as its page is open. Renders again when a text or the state changes. */
export function useDraftSession(draft: Draft): DraftSession {
  const [session] = useState(() => sessionOf(draft));
  useSyncExternalStore(session.subscribe, session.version);
  useEffect(() => {
    const look = setInterval(() => {
      // Saving reports a lost connection; checking need not.
      if (document.visibilityState === "visible") void session.refresh().catch(() => undefined);
    }, LOOK_EVERY_MS);
    const savedOrKept = (): void => void session.saved().catch(() => undefined); // the browser keeps the text
    globalThis.addEventListener("pagehide", savedOrKept);
    const warn = (event: BeforeUnloadEvent): void => {
      if (isOnlyHere(session.state)) event.preventDefault();
    };
    globalThis.addEventListener("beforeunload", warn);
    return () => {
      clearInterval(look);
      globalThis.removeEventListener("pagehide", savedOrKept);
      globalThis.removeEventListener("beforeunload", warn);
      savedOrKept();
    };
  }, [session]);
  return session;
}

function sessionOf(draft: Draft): DraftSession {
  const known = sessions.get(draft.draft_id);
  const isBehind = known?.state.kind === "saved" && known.revision < draft.revision;
  if (known !== undefined && known.state.kind !== "gone" && !isBehind) return known;
  const ends: Ends = new Set(hasWindowsEnds(draft.text) ? [DOCUMENT] : []);
  const session = new DraftSession(toSaved(draft, ends), {
    server: serverOf(draft.draft_id, ends),
    unsaved: unsavedIn(new WindowStorage(), `weft-draft-texts:${draft.draft_id}`),
    clock: { nowMs: () => performance.now(), schedule },
  });
  sessions.set(draft.draft_id, session);
  return session;
}

function schedule(act: () => void, delayMs: number): () => void {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
}

/** Paths of the texts whose lines end with `\r\n` in their files. */
type Ends = Set<string>;

function toSaved({ revision, text, updated_by: by }: Draft, ends: Ends): SavedDraft {
  return { revision, text: toEditor(text, ends.has(DOCUMENT)), by };
}

function serverOf(draftId: string, ends: Ends): DraftServer {
  const written = (path: string, text: string): string => toFile(text, ends.has(path));
  return {
    load: () => typed(async () => toSaved(await loadDraft(draftId), ends)),
    loadFile: (path) =>
      typed(async () => {
        const text = await loadDraftFile(draftId, path);
        if (typeof text !== "string") return text;
        if (hasWindowsEnds(text)) ends.add(path);
        else ends.delete(path);
        return toEditor(text, ends.has(path));
      }),
    hasFile: (path) =>
      typed(async () => {
        const { files } = await api("GET /api/drafts/{draft_id}/files", { params: { draft_id: draftId } });
        return files.some((file) => file.path === path);
      }),
    save: (text, revision) =>
      typed(async () => toSaved(await saveDraft(draftId, written(DOCUMENT, text), revision), ends)),
    changeFiles: (changes, revision) =>
      typed(async () => {
        const sent = changes.map((one) => (one.do === "write" ? { ...one, text: written(one.path, one.text) } : one));
        const saved = toSaved(await changeDraftFiles(draftId, sent, revision), ends);
        for (const one of changes) followEnds(one, ends);
        return saved;
      }),
  };
}

/** Line ends stay with their file, and not with its path. */
function followEnds(change: DraftFileChange, ends: Ends): void {
  if (change.do === "write" || !ends.delete(change.path)) return;
  if (change.do === "rename") ends.add(change.to);
}

async function typed<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) throw new StaleRevision(error.message);
    if (error instanceof ApiError && error.problem?.code === "not-found") throw new DraftGone(error.message);
    throw error instanceof TypeError ? new Error("can't reach the server", { cause: error }) : error;
  }
}

function unsavedIn(storage: WindowStorage, key: string): UnsavedStore {
  return {
    read: () => {
      try {
        // Only this function writes the key.
        return (JSON.parse(storage.read(key) ?? "null") as Unsaved | null) ?? undefined;
      } catch {
        // Unreadable content counts as missing.
        return undefined;
      }
    },
    write: (unsaved) => {
      try {
        if (unsaved === undefined) storage.remove(key);
        else storage.write(key, JSON.stringify(unsaved));
      } catch {
        // If the storage of the browser is full, saved changes are still on the server.
      }
    },
  };
}

/**
 * Editors work with `\n`. A file that ends all lines with `\r\n` gets them back; mixed ends stay characters of the text.
 */
export function hasWindowsEnds(text: string): boolean {
  return text.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/.test(text);
}

export function toEditor(text: string, isWindows: boolean): string {
  return isWindows ? text.replaceAll("\r\n", "\n") : text;
}

export function toFile(text: string, isWindows: boolean): string {
  return isWindows ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}
