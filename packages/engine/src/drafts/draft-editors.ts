import { MAX_DRAFT_EDITORS, MAX_DRAFTS } from "@weft/shared/records/draft-record.ts";

/** Editors send a request every few seconds; after this time without one, an editor counts as closed. */
const PRESENT_MS = 15_000;

interface Window {
  readonly name: string;
  readonly seenMs: number;
}

/** The editors of each open draft, only in memory: after a restart, every editor sends a request within seconds. */
export class DraftEditors {
  readonly #drafts = new Map<string, Map<string, Window>>();

  /** Remembers an editor window and returns the others of the same draft. Beyond 50 windows, forgets the oldest. */
  visit(draftId: string, { editor, name, nowMs }: { editor: string; name: string; nowMs: number }): readonly string[] {
    const windows = this.#present(draftId, nowMs);
    windows.delete(editor);
    const others = [...windows.values()].map((window) => window.name);
    windows.set(editor, { name, seenMs: nowMs });
    if (windows.size > MAX_DRAFT_EDITORS) removeFirst(windows);
    this.#drafts.delete(draftId);
    this.#drafts.set(draftId, windows);
    if (this.#drafts.size > MAX_DRAFTS) removeFirst(this.#drafts);
    return others;
  }

  /** Names of the windows of a draft. */
  list(draftId: string, nowMs: number): readonly string[] {
    const windows = [...(this.#drafts.get(draftId)?.values() ?? [])];
    return windows.filter(({ seenMs }) => nowMs - seenMs <= PRESENT_MS).map(({ name }) => name);
  }

  leave(draftId: string, editor: string): void {
    const windows = this.#drafts.get(draftId);
    windows?.delete(editor);
    if (windows?.size === 0) this.#drafts.delete(draftId);
  }

  #present(draftId: string, nowMs: number): Map<string, Window> {
    const windows = this.#drafts.get(draftId) ?? new Map<string, Window>();
    for (const [editor, { seenMs }] of windows) if (nowMs - seenMs > PRESENT_MS) windows.delete(editor);
    return windows;
  }
}

/** Removes the entry that was set first. */
function removeFirst(map: Map<string, unknown>): void {
  const { value, done } = map.keys().next();
  if (done !== true) map.delete(value);
}
