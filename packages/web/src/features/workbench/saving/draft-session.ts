import type { DraftFileChange } from "@weft/shared/records/draft-record.ts";
import { mergeTexts } from "./merge-texts.ts";

/** A draft as the server has it. */
export interface SavedDraft {
  readonly revision: number;
  /** The document. */
  readonly text: string;
  /** The user who saved it. */
  readonly by: string;
}

export type SaveState =
  | { readonly kind: "saved" }
  | { readonly kind: "unsaved" }
  | { readonly kind: "saving" }
  /** The last attempt failed; another one follows. */
  | { readonly kind: "failed"; readonly why: string }
  /** Both sides changed the same lines of a text: the user decides. */
  | { readonly kind: "conflict"; readonly path: string; readonly by: string }
  /** The draft was published or deleted; this window still shows its text. */
  | { readonly kind: "gone" };

/** True if the server lacks the displayed text, and may never get it. */
export function isOnlyHere({ kind }: SaveState): boolean {
  return kind === "failed" || kind === "conflict" || kind === "gone";
}

/** Loads and saves a draft. Any request may reject with `DraftGone`; saving also with `StaleRevision`. */
export interface DraftServer {
  readonly load: () => Promise<SavedDraft>;
  /** Loads the text of a file; null if it is not text, undefined if it does not exist. */
  readonly loadFile: (path: string) => Promise<string | null | undefined>;
  readonly hasFile: (path: string) => Promise<boolean>;
  readonly save: (change: DraftChange, revision: number) => Promise<SavedDraft>;
}

/** A new text of the document, if it changes, and changes of files. */
export interface DraftChange {
  readonly text?: string | undefined;
  readonly changes: DraftFileChange[];
}

export class StaleRevision extends Error {}

export class DraftGone extends Error {}

/**
 * A text in this window, and the last known text on the server; null if the server has no such file. Both are texts of
 * the editor, whose lines end with `\n`.
 */
interface Part {
  readonly base: string | null;
  readonly text: string;
  /** True if all lines of the file end with `\r\n`. */
  readonly isWindows?: boolean;
  /**
   * Texts that this window has sent since then, oldest first. One of them may be on the server although no answer came:
   * the connection broke, or the page was reloaded.
   */
  readonly sent?: readonly string[] | undefined;
}

type ChangedParts = readonly (readonly [path: string, Part])[];

/** The unsaved changes, with their base revision. */
export interface Unsaved {
  readonly revision: number;
  readonly parts: Readonly<Record<string, Part>>;
}

/** Keeps unsaved changes across a reload. */
export interface UnsavedStore {
  readonly read: () => Unsaved | undefined;
  readonly write: (unsaved: Unsaved | undefined) => void;
}

export interface Clock {
  readonly nowMs: () => number;
  /** Returns a function that cancels the call. */
  readonly schedule: (act: () => void, delayMs: number) => () => void;
}

interface DraftSessionOptions {
  readonly server: DraftServer;
  readonly unsaved: UnsavedStore;
  readonly clock: Clock;
}

/** Called with a text that the user did not type. `by`: whose changes it contains; undefined: the user's own. */
type Follower = (text: string, by: string | undefined) => void;

/** Path of the document itself. */
export const DOCUMENT = "";
/** Saving waits for a pause in typing, but not longer than this. */
const SAVE_AFTER_MS = 700;
const SAVE_AT_LATEST_MS = 3000;
const RETRY_AFTER_MS = 5000;
const MAX_CHANGES = 100;
/** Maximum length of the sent texts of a part, except the latest. */
const MAX_SENT = 200_000;
const ATTEMPTS = 5;

/**
 * Owns everything that a window shows of a draft: the texts of its document and files, their unsaved changes, and the
 * revision that they are based on. Every save names that revision, and a text that changed on both sides is merged, so that
 * nothing is overwritten unseen. Actions on the draft wait for `saved()`, which returns the revision that they apply to.
 */
export class DraftSession {
  readonly #options: DraftSessionOptions;
  readonly #parts = new Map<string, Part>();
  readonly #conflicts = new Map<string, { readonly theirs: string; readonly by: string }>();
  readonly #listeners = new Set<() => void>();
  readonly #followers = new Map<string, Set<Follower>>();
  #revision: number;
  #progress: Extract<SaveState, { kind: "saved" | "saving" | "failed" | "gone" }> = { kind: "saved" };
  #version = 0;
  #last: Promise<unknown> = Promise.resolve();
  #computed: Promise<unknown> = Promise.resolve();
  #unsavedSinceMs: number | undefined;
  #cancel = (): void => {};

  constructor(saved: SavedDraft, options: DraftSessionOptions) {
    this.#options = options;
    const left = options.unsaved.read();
    this.#revision = left?.revision ?? saved.revision;
    for (const [path, part] of Object.entries(left?.parts ?? {})) this.#parts.set(path, part);
    if (!this.#parts.has(DOCUMENT)) this.#parts.set(DOCUMENT, partOf(saved.text));
    if (left === undefined) return;
    if (saved.revision !== left.revision) this.#merge(DOCUMENT, saved.text, saved.by);
    // The page that the user left may have saved meanwhile.
    void this.refresh().catch(() => undefined);
  }

  get revision(): number {
    return this.#revision;
  }

  /** The text of the document. */
  get text(): string {
    return this.textOf(DOCUMENT) ?? "";
  }

  /** The text of the document or of an open file. */
  textOf(path: string): string | undefined {
    return this.#parts.get(path)?.text;
  }

  get state(): SaveState {
    const [conflict] = this.#conflicts;
    if (this.#progress.kind === "gone") return this.#progress;
    if (conflict !== undefined) return { kind: "conflict", path: conflict[0], by: conflict[1].by };
    if (this.#progress.kind !== "saved") return this.#progress;
    return { kind: this.#changed().length > 0 ? "unsaved" : "saved" };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Grows with every change of a text or state. */
  readonly version = (): number => this.#version;

  /** Calls `follower` with each text at `path` that the user did not type. */
  follow(path: string, follower: Follower): () => void {
    const all = this.#followers.get(path) ?? new Set();
    this.#followers.set(path, all.add(follower));
    return () => void all.delete(follower);
  }

  /** Loads the text of a file, unless it is open already. Resolves to true if it is text. */
  open(path: string): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#parts.has(path)) return true;
      const text = await this.#options.server.loadFile(path);
      if (text === undefined) throw new Error(`The draft no longer has the file ${path}.`);
      if (text !== null) this.#put(path, partOf(text));
      return text !== null;
    });
  }

  /** Records a change by the user. */
  edit(path: string, text: string): void {
    const part = this.#parts.get(path);
    if (part === undefined || text === part.text) return;
    if (this.#progress.kind === "failed") this.#progress = { kind: "saved" };
    this.#put(path, { ...part, text });
    this.#schedule();
  }

  /** Changes the document by code; undo reverts it. False if the user has changed the same lines since `before`. */
  replace(before: string, after: string): boolean {
    const { mine, isConflict } = mergeTexts(before, after, this.text);
    if (isConflict) return false;
    this.edit(DOCUMENT, mine);
    this.#tell(DOCUMENT, mine, undefined);
    return true;
  }

  /** Makes changes by code one after the other: each changes the text that the previous one produced. */
  compute<Result>(change: () => Promise<Result>): Promise<Result> {
    const done = this.#computed.then(change);
    this.#computed = done.catch(() => undefined);
    return done;
  }

  /** Saves all texts as they are shown. Resolves with the revision that has them, and rejects if they cannot be saved. */
  saved(): Promise<number> {
    return this.#inTurn(async () => {
      await this.#save();
      return this.#revision;
    });
  }

  /** Resolves when the pending requests have been answered. */
  settled(): Promise<void> {
    return this.#inTurn(async () => {});
  }

  /** Adds, renames and deletes files, after saving text that was typed before. */
  change(changes: DraftFileChange[]): Promise<void> {
    return this.#inTurn(async () => {
      for (let attempt = 1; ; attempt++) {
        await this.#save();
        await this.#requireNew(changes);
        try {
          this.#revision = (await this.#options.server.save({ changes }, this.#revision)).revision;
          break;
        } catch (error) {
          if (!(error instanceof StaleRevision) || attempt === ATTEMPTS) throw error;
          await this.#catchUp();
        }
      }
      for (const change of changes) this.#follow(change);
      this.#changedState();
    });
  }

  /** Checks whether another user has saved. Also repeats a save that has failed: checks would put it off forever. */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#conflicts.size > 0 || this.#progress.kind === "gone") return;
      if (this.#progress.kind === "failed") return this.#save();
      await this.#unlessGone(() => this.#catchUp());
      if (this.#changed().length > 0) this.#schedule();
    });
  }

  /** The text in conflict, with the other user's lines where both changed the same ones. */
  theirs(path: string): string {
    const part = this.#parts.get(path);
    return mergeTexts(part?.base ?? "", part?.text ?? "", this.#conflicts.get(path)?.theirs ?? "").theirs;
  }

  /** Decides the conflict that `state` shows: this text replaces the other one, which the user has seen. */
  resolve(text: string): void {
    const [conflict] = this.#conflicts;
    if (conflict === undefined) return;
    const [path, { theirs: base }] = conflict;
    this.#conflicts.delete(path);
    this.#put(path, { ...this.#parts.get(path), base, text, sent: undefined });
    this.#tell(path, text, undefined);
    void this.saved().catch(() => undefined); // the state says why
  }

  /** Ends the session after the user has published or deleted the draft: no more texts are saved. */
  end(): void {
    this.#cancel();
    this.#progress = { kind: "gone" };
    this.#options.unsaved.write(undefined);
    this.#changedState();
  }

  async #save(): Promise<void> {
    this.#cancel();
    this.#unsavedSinceMs = undefined;
    await this.#unlessGone(async () => {
      while (this.#changed().length > 0) {
        this.#requireAgreement();
        this.#progress = { kind: "saving" };
        this.#changedState();
        await this.#saveOnce();
      }
    });
    this.#requireAgreement();
    this.#progress = { kind: "saved" };
    this.#changedState();
  }

  /** Another user may have added a file that this window does not list yet. */
  async #requireNew(changes: readonly DraftFileChange[]): Promise<void> {
    for (const { do: kind, path } of changes)
      if (kind === "write" && (await this.#options.server.hasFile(path)))
        throw new Error(`The draft already has a file "${path}".`);
  }

  #requireAgreement(): void {
    const { state } = this;
    if (state.kind === "conflict")
      throw new Error(`${state.by} has changed the same lines. Choose between the two texts first.`);
  }

  async #unlessGone(act: () => Promise<void>): Promise<void> {
    if (this.#progress.kind === "gone") throw new DraftGone(GONE);
    try {
      await act();
    } catch (error) {
      if (error instanceof DraftGone) this.#progress = { kind: "gone" };
      else if (this.#conflicts.size > 0) this.#progress = { kind: "saved" };
      else if (this.#changed().length > 0) {
        this.#progress = { kind: "failed", why: error instanceof Error ? error.message : String(error) };
        this.#schedule();
      }
      this.#changedState();
      throw error;
    }
  }

  /** Saves all texts by one request, which a page that is being left can still send. */
  async #saveOnce(): Promise<void> {
    const changed = this.#changed().slice(0, MAX_CHANGES);
    try {
      await this.#send(changed);
    } catch (error) {
      if (error instanceof StaleRevision) return this.#catchUp();
      // A file that is refused must not keep the document from being saved.
      const document = changed.filter(([path]) => path === DOCUMENT);
      if (document.length > 0 && document.length < changed.length) await this.#send(document);
      throw error;
    }
  }

  async #send(changed: ChangedParts): Promise<void> {
    const sent = changed.map(([path, part]) => ({ path, text: part.text, file: fileOf(part) }));
    const text = sent.find(({ path }) => path === DOCUMENT)?.file;
    const files = sent.filter(({ path }) => path !== DOCUMENT);
    const changes = files.map(({ path, file }) => ({ do: "write", path, text: file }) as const);
    for (const one of sent) this.#sending(one.path, one.text);
    this.#revision = (await this.#options.server.save({ text, changes }, this.#revision)).revision;
    for (const one of sent) this.#rebase(one.path, one.text);
  }

  /** Reads the server's current texts and merges them with the changes in this window. */
  async #catchUp(): Promise<void> {
    const { server } = this.#options;
    const saved = await server.load();
    if (saved.revision === this.#revision) return;
    const paths = [...this.#parts.keys()].filter((path) => path !== DOCUMENT);
    const files = await Promise.all(paths.map(async (path) => [path, await server.loadFile(path)] as const));
    this.#merge(DOCUMENT, saved.text, saved.by);
    for (const [path, text] of files) this.#merge(path, text ?? undefined, saved.by);
    // A text in conflict is still based on the earlier revision, also after a reload.
    if (this.#conflicts.size === 0) this.#revision = saved.revision;
    this.#changedState();
  }

  /** Adopts a text from the server, merged with the changes in this window. */
  #merge(path: string, theirs: string | undefined, by: string): void {
    const part = this.#parts.get(path);
    if (part === undefined) return;
    // A file that someone deleted while it was edited here is written again.
    if (theirs === undefined)
      return part.text === part.base ? this.#drop(path) : this.#put(path, { ...part, base: null });
    const { text: other, isWindows = false } = partOf(theirs);
    if (other === part.base) return this.#put(path, { ...part, isWindows });
    if (part.sent?.includes(other) === true) return this.#put(path, { base: other, text: part.text, isWindows });
    const { mine, base, isConflict } = mergeTexts(part.base ?? "", part.text, other);
    if (isConflict) this.#conflicts.set(path, { theirs: other, by });
    this.#put(path, { ...(isConflict ? part : undefined), base, text: mine, isWindows });
    if (mine !== part.text) this.#tell(path, mine, by);
  }

  /** Applies a change of the draft's files to the open files. */
  #follow(change: DraftFileChange): void {
    const part = this.#parts.get(change.path);
    if (change.do === "write") this.#put(change.path, partOf(change.text));
    else this.#drop(change.path);
    if (change.do === "rename" && part !== undefined) this.#put(change.to, part);
  }

  /** Remembers, also across a reload, that the server may have this text before its answer comes. */
  #sending(path: string, text: string): void {
    const part = this.#parts.get(path);
    if (part === undefined) return;
    const sent = [...(part.sent ?? []).filter((other) => other !== text), text];
    while (sent.length > 1 && sent.reduce((sum, one) => sum + one.length, 0) > MAX_SENT) sent.shift();
    this.#put(path, { ...part, sent });
  }

  #rebase(path: string, base: string): void {
    const part = this.#parts.get(path);
    if (part !== undefined) this.#put(path, { ...part, base, sent: undefined });
  }

  #put(path: string, part: Part): void {
    this.#parts.set(path, part);
    this.#changedState();
  }

  #drop(path: string): void {
    this.#parts.delete(path);
    this.#conflicts.delete(path);
  }

  /** The texts that the server may not have. */
  #changed(): ChangedParts {
    return [...this.#parts].filter(([, { base, text, sent }]) => base !== text || sent !== undefined);
  }

  #tell(path: string, text: string, by: string | undefined): void {
    for (const follower of this.#followers.get(path) ?? []) follower(text, by);
  }

  #schedule(): void {
    const { nowMs, schedule } = this.#options.clock;
    this.#unsavedSinceMs ??= nowMs();
    const pause = Math.min(SAVE_AFTER_MS, this.#unsavedSinceMs + SAVE_AT_LATEST_MS - nowMs());
    this.#cancel();
    const delay = this.#progress.kind === "failed" ? RETRY_AFTER_MS : Math.max(0, pause);
    // The state says why a save failed.
    this.#cancel = schedule(() => void this.saved().catch(() => undefined), delay);
  }

  /** One request at a time: each names the revision that the previous one produced. */
  #inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(act);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #changedState(): void {
    const changed = this.#changed();
    const parts = changed.length === 0 ? undefined : Object.fromEntries([...changed, [DOCUMENT, this.#document()]]);
    if (this.#progress.kind !== "gone")
      this.#options.unsaved.write(parts === undefined ? undefined : { revision: this.#revision, parts });
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }

  #document(): Part {
    return this.#parts.get(DOCUMENT) ?? { base: "", text: "" };
  }
}

const GONE = "The draft has been published or deleted.";

/** Editors work with `\n`. Mixed line ends stay characters of the text. */
export function partOf(file: string): Part {
  const isWindows = file.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/.test(file);
  const text = isWindows ? file.replaceAll("\r\n", "\n") : file;
  return { base: text, text, isWindows };
}

export function fileOf({ text, isWindows = false }: Part): string {
  return isWindows ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}
