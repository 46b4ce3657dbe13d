import type { Draft } from "@weft/shared/records/draft-record.ts";
import { ApiError } from "@weft/shared/routes/client.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import { hasDraftFile, loadDraft, loadDraftFile, saveDraft } from "../../../api/queries/draft-queries.ts";
import { WindowStorage } from "../../../ui/window-storage.ts";
import {
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
  const session = new DraftSession(toSaved(draft), {
    server: serverOf(draft.draft_id),
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

function toSaved({ revision, text, updated_by: by }: Draft): SavedDraft {
  return { revision, text, by };
}

function serverOf(draftId: string): DraftServer {
  return {
    load: () => typed(async () => toSaved(await loadDraft(draftId))),
    loadFile: (path) => typed(() => loadDraftFile(draftId, path)),
    hasFile: (path) => typed(() => hasDraftFile(draftId, path)),
    save: (change, revision) => typed(async () => toSaved(await saveDraft(draftId, change, revision))),
  };
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
