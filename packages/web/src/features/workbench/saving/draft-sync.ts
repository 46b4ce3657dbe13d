import { mergeTexts } from "./merge-texts.ts";

/** A text as the server has it. */
export interface SavedText {
  readonly revision: number;
  readonly text: string;
  /** Who saved it. */
  readonly by: string;
}

export type SaveState =
  | { readonly kind: "saved" }
  | { readonly kind: "unsaved" }
  | { readonly kind: "saving" }
  /** The last attempt failed; another one follows. */
  | { readonly kind: "failed"; readonly why: string }
  /** Both sides changed the same lines: a person decides. */
  | { readonly kind: "conflict"; readonly theirs: SavedText };

/** What saving means. `save` rejects with `StaleRevision` if the server has another revision by now. */
export interface DraftServer {
  readonly load: () => Promise<SavedText>;
  readonly save: (text: string, revision: number) => Promise<SavedText>;
}

export class StaleRevision extends Error {}

/** Keeps what is not saved yet beyond a reload. */
export interface UnsavedStore {
  readonly read: () => { readonly base: SavedText; readonly text: string } | undefined;
  readonly write: (unsaved: { readonly base: SavedText; readonly text: string } | undefined) => void;
}

export interface DraftSyncOptions {
  readonly server: DraftServer;
  readonly unsaved: UnsavedStore;
  /** Called when the text changes otherwise than by `edit`. */
  readonly onText: (text: string, by: string) => void;
  readonly onState: (state: SaveState) => void;
  readonly schedule: (act: () => void) => void;
}

/**
 * Keeps the text of an editor and that of the server the same, also when others edit it: every save names the revision that
 * it is based on, and a text that changed on both sides is merged. Nothing is ever replaced unseen.
 */
export class DraftSync {
  readonly #options: DraftSyncOptions;
  #base: SavedText;
  #text: string;
  #state: SaveState = { kind: "saved" };
  #isBusy = false;

  constructor(saved: SavedText, options: DraftSyncOptions) {
    this.#options = options;
    const left = options.unsaved.read();
    this.#base = saved;
    this.#text = saved.text;
    if (left === undefined || left.text === saved.text) return;
    this.#base = left.base;
    this.#text = left.text;
    this.#take(saved);
    this.#options.schedule(() => void this.save());
  }

  get text(): string {
    return this.#text;
  }

  get state(): SaveState {
    return this.#state;
  }

  /** The revision of the server's text that this text is based on. */
  get revision(): number {
    return this.#base.revision;
  }

  /** The user has changed the text. */
  edit(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#options.unsaved.write({ base: this.#base, text });
    if (this.#state.kind !== "conflict") this.#become({ kind: "unsaved" });
    this.#options.schedule(() => void this.save());
  }

  /** Saves until the server has the current text. */
  async save(): Promise<void> {
    if (this.#isBusy || this.#state.kind === "conflict" || this.#text === this.#base.text) return;
    this.#isBusy = true;
    this.#become({ kind: "saving" });
    try {
      await this.#saveOnce();
    } catch (error) {
      this.#become({ kind: "failed", why: error instanceof Error ? error.message : String(error) });
    } finally {
      this.#isBusy = false;
    }
    if (this.#state.kind === "unsaved" || this.#state.kind === "failed") this.#options.schedule(() => void this.save());
  }

  /** Looks whether someone else has saved. */
  async refresh(): Promise<void> {
    if (this.#isBusy || this.#state.kind === "conflict") return;
    const found = await this.#options.server.load();
    if (!this.#isBusy) this.#take(found);
  }

  /** Decides a conflict: this text replaces the other one, which the user has seen, or the other way round. */
  resolve(text: string): void {
    if (this.#state.kind !== "conflict") return;
    this.#base = this.#state.theirs;
    const isTheirs = text === this.#base.text;
    this.#text = text;
    this.#options.unsaved.write(isTheirs ? undefined : { base: this.#base, text });
    this.#options.onText(text, "");
    this.#become({ kind: isTheirs ? "saved" : "unsaved" });
    void this.save();
  }

  async #saveOnce(): Promise<void> {
    const sent = this.#text;
    try {
      this.#base = await this.#options.server.save(sent, this.#base.revision);
    } catch (error) {
      if (!(error instanceof StaleRevision)) throw error;
      this.#become({ kind: "unsaved" });
      this.#take(await this.#options.server.load());
      return;
    }
    this.#settle();
  }

  /** Adopts a text of the server: as it is, or merged with what was changed here. */
  #take(theirs: SavedText): void {
    if (theirs.revision === this.#base.revision) return this.#settle();
    const { text, conflicts } = mergeTexts(this.#base.text, this.#text, theirs.text);
    if (conflicts > 0) return this.#become({ kind: "conflict", theirs });
    const isNew = text !== this.#text;
    this.#base = theirs;
    this.#text = text;
    if (isNew) this.#options.onText(text, theirs.by);
    this.#settle();
  }

  #settle(): void {
    const isSaved = this.#text === this.#base.text;
    this.#options.unsaved.write(isSaved ? undefined : { base: this.#base, text: this.#text });
    this.#become({ kind: isSaved ? "saved" : "unsaved" });
  }

  #become(state: SaveState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}
