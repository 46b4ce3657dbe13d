import { ApiError } from "@weft/shared/routes/client.ts";
import type { Draft } from "@weft/shared/records/draft-record.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import { loadDraft, saveDraft } from "../../../api/draft-queries.ts";
import { DraftSync, StaleRevision, type DraftServer, type SavedText, type UnsavedStore } from "./draft-sync.ts";
import { LineEnds } from "./line-ends.ts";

const SAVE_AFTER_MS = 700;
const RETRY_AFTER_MS = 5000;
const LOOK_EVERY_MS = 4000;

/** The text of a draft, saved while the user writes, together with the changes of others. */
export class LiveDraft {
  readonly sync: DraftSync;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #version = 0;
  readonly #followers = new Set<(text: string, by: string) => void>();

  constructor(draft: Draft) {
    const ends = LineEnds.of(draft.text);
    this.sync = new DraftSync(toSaved(draft, ends), {
      server: serverOf(draft.draft_id, ends),
      unsaved: unsavedIn(localStorage, `weft-draft-text:${draft.draft_id}`),
      onText: (text, by) => this.#followers.forEach((follow) => follow(text, by)),
      onState: () => this.#changed(),
      schedule: (act) => this.#schedule(act),
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls `follow` with every text that did not come from the editor. */
  follow(follow: (text: string, by: string) => void): () => void {
    this.#followers.add(follow);
    return () => void this.#followers.delete(follow);
  }

  readonly version = (): number => this.#version;

  stop(): void {
    clearTimeout(this.#timer);
    void this.sync.save();
  }

  #schedule(act: () => void): void {
    clearTimeout(this.#timer);
    const isRetry = this.sync?.state.kind === "failed";
    this.#timer = setTimeout(act, isRetry ? RETRY_AFTER_MS : SAVE_AFTER_MS);
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** Follows a draft as long as its page is open. Renders again when its state changes. */
export function useLiveDraft(draft: Draft): LiveDraft {
  const [live] = useState(() => new LiveDraft(draft));
  useSyncExternalStore(live.subscribe, live.version);
  useEffect(() => {
    const look = setInterval(() => {
      // A lost connection shows when saving; looking needs no message.
      if (document.visibilityState === "visible") void live.sync.refresh().catch(() => undefined);
    }, LOOK_EVERY_MS);
    const save = (): void => void live.sync.save();
    globalThis.addEventListener("pagehide", save);
    return () => {
      clearInterval(look);
      globalThis.removeEventListener("pagehide", save);
      live.stop();
    };
  }, [live]);
  return live;
}

function toSaved({ revision, text, updated_by: by }: Draft, ends: LineEnds): SavedText {
  return { revision, text: ends.toEditor(text), by };
}

function serverOf(draftId: string, ends: LineEnds): DraftServer {
  return {
    load: async () => toSaved(await loadDraft(draftId), ends),
    save: async (text, revision) => {
      try {
        return toSaved(await saveDraft(draftId, ends.toFile(text), revision), ends);
      } catch (error) {
        throw error instanceof ApiError && error.status === 412 ? new StaleRevision() : error;
      }
    },
  };
}

function unsavedIn(storage: Storage, key: string): UnsavedStore {
  return {
    read: () => {
      try {
        // Only this class writes the key.
        return JSON.parse(storage.getItem(key) ?? "null") ?? undefined;
      } catch {
        // Not readable: as if nothing had been left.
        return undefined;
      }
    },
    write: (unsaved) => {
      try {
        if (unsaved === undefined) storage.removeItem(key);
        else storage.setItem(key, JSON.stringify(unsaved));
      } catch {
        // Without room in the browser, the server still has every save.
      }
    },
  };
}
