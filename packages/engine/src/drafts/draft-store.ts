import { randomUUID } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  draftSummarySchema,
  MAX_DRAFT_CHARACTERS,
  MAX_DRAFTS,
  type DraftSummary,
} from "@weft/shared/records/draft-record.ts";
import { parseJson } from "@weft/shared/json/exact-json.ts";
import type { StoredGroup } from "@weft/shared/records/draft-group-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { z } from "zod";
import { Gate } from "../async/gate.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { refusalOfSystem } from "../journal/storage/storage-problem.ts";
import type { Log } from "../log.ts";
import { DraftContents, storedContentSchema } from "./draft-contents.ts";
import { DraftGroups, GROUPS } from "./draft-groups.ts";
import { replaceDurably } from "../files/write-durably.ts";

const CONTENTS = "contents";
/** The number of drafts of a group that are written concurrently. */
const WRITTEN_AT_ONCE = 16;

/** The content of a draft's file. Drafts of older servers have no `files`. */
const storedSchema = draftSummarySchema.extend({
  group_id: draftSummarySchema.shape.group_id.default(null),
  planned_version: draftSummarySchema.shape.planned_version.default(null),
  text: z.string().max(MAX_DRAFT_CHARACTERS),
  files: z.record(z.string(), storedContentSchema.nullable()).default({}),
});
export type StoredDraft = Readonly<z.infer<typeof storedSchema>>;

export type NewDraft = Pick<StoredDraft, "kind" | "id" | "based_on" | "planned_version" | "text" | "files">;

export type NewGroup = Pick<StoredGroup, "kind" | "title" | "notes">;

interface Change {
  readonly actor: string;
  readonly nowMs: number;
}

interface Revised extends Change {
  /** The revision that a change is based on. */
  readonly revision: number;
}

/**
 * The drafts of a server: one file each, replaced as a whole and synced, so that a crash leaves the old or new text.
 * Only the server that holds the state folder writes them (ADR 79). Changes happen one after the other.
 */
export class DraftStore {
  readonly contents: DraftContents;
  readonly groups: DraftGroups;
  readonly #folder: string;
  readonly #drafts: Map<string, DraftSummary>;
  /** Changes take turns, whether the one before succeeded or not. */
  readonly #turns = new Gate(1);

  private constructor(folder: string, drafts: Map<string, DraftSummary>, groups: DraftGroups) {
    this.#folder = folder;
    this.#drafts = drafts;
    this.groups = groups;
    this.contents = new DraftContents(join(folder, CONTENTS));
  }

  static async open(folder: string, log: Log): Promise<DraftStore> {
    const groups = await DraftGroups.open(join(folder, GROUPS));
    const drafts = new Map<string, DraftSummary>();
    const used = new Set<string>();
    for (const name of ((await readdir(folder).catch(undefinedIfMissing)) ?? []).sort()) {
      if (name === CONTENTS || name === GROUPS) continue;
      if (!name.endsWith(".json")) {
        // The remains of a change that a crash interrupted.
        await rm(join(folder, name), { force: true });
        continue;
      }
      const stored = parseStored(await readFile(join(folder, name), "utf8"));
      if (stored != null && stored.group_id !== null && groups.find(stored.group_id) === undefined) {
        // A crash interrupted the creation of its group, which is complete once the file of the group exists.
        await rm(join(folder, name), { force: true });
        continue;
      }
      if (stored === undefined || name !== `${stored.draft_id}.json`)
        log("warn", "a draft cannot be read", { path: join(folder, name) });
      else drafts.set(stored.draft_id, summaryOf(stored));
      for (const content of Object.values(stored?.files ?? {})) if (content !== null) used.add(content.sha256);
    }
    const store = new DraftStore(folder, drafts, groups);
    await store.contents.keepOnly(used);
    await groups.keepOnly(new Set([...drafts.values()].map(({ group_id: group }) => group)));
    return store;
  }

  /** Last changed first. */
  list(): readonly DraftSummary[] {
    return [...this.#drafts.values()].sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  }

  /** The drafts of a group, in no order. */
  inGroup(groupId: string | null): readonly DraftSummary[] {
    return groupId === null ? [] : [...this.#drafts.values()].filter(({ group_id: group }) => group === groupId);
  }

  has(draftId: string): boolean {
    return this.#drafts.has(draftId);
  }

  /** Refuses `precondition-failed` if a revision is named and the draft has another one. */
  async get(draftId: string, revision?: number): Promise<StoredDraft> {
    this.requireDraft(draftId);
    const stored =
      parseStored((await readFile(this.#path(draftId), "utf8").catch(undefinedIfMissing)) ?? "") ?? missing(draftId);
    if (revision !== undefined) requireRevision(stored, revision);
    return stored;
  }

  create(draft: NewDraft, change: Change): Promise<StoredDraft> {
    return this.#turns.pass(async () => {
      this.#requireCapacity(1);
      return this.#write(newStored(draft, { ...change, group: null }));
    });
  }

  /** Creates all drafts of a group, or none. */
  createGroup(group: NewGroup, drafts: readonly NewDraft[], change: Change): Promise<StoredGroup> {
    return this.#turns.pass(async () => {
      this.#requireCapacity(drafts.length);
      const group_id = randomUUID();
      const stored = drafts.map((draft) => newStored(draft, { ...change, group: group_id }));
      for (let at = 0; at < stored.length; at += WRITTEN_AT_ONCE)
        await Promise.all(stored.slice(at, at + WRITTEN_AT_ONCE).map((draft) => this.#writeFile(draft)));
      const draft_ids = stored.map(({ draft_id: id }) => id);
      const created = { created_at: new Date(change.nowMs).toISOString(), created_by: change.actor };
      const made = await this.groups.add({ ...group, ...created, group_id, draft_ids });
      for (const draft of stored) this.#drafts.set(draft.draft_id, summaryOf(draft));
      return made;
    });
  }

  /** The number of drafts that can still be added. */
  get room(): number {
    return MAX_DRAFTS - this.#drafts.size;
  }

  #requireCapacity(count: number): void {
    if (count > this.room) throw tooManyDrafts();
  }

  /** Refuses `precondition-failed` unless `revision` is the draft's. */
  save(draftId: string, { text, ...change }: Revised & { readonly text: string }): Promise<StoredDraft> {
    return this.change(draftId, change, async (stored) => (stored.text === text ? {} : { text }));
  }

  /** Replaces the parts of a draft that `edit` returns; changes nothing if it returns none. Refuses like `save`. */
  change(
    draftId: string,
    { revision, actor, nowMs }: Revised,
    edit: (stored: StoredDraft) => Promise<Partial<Pick<StoredDraft, "text" | "files">>>,
  ): Promise<StoredDraft> {
    return this.#turns.pass(async () => {
      const stored = await this.get(draftId, revision);
      const edited = await edit(stored);
      if (Object.keys(edited).length === 0) return stored;
      const updated_at = new Date(nowMs).toISOString();
      return this.#write({ ...stored, ...edited, revision: revision + 1, updated_at, updated_by: actor });
    });
  }

  /** Calls `act` with the draft while nothing else changes drafts, and then removes it. */
  removeAfter<Result>(draftId: string, act: (draft: StoredDraft) => Promise<Result>): Promise<Result> {
    return this.removeAllAfter([draftId], ([draft]) => act(draft ?? missing(draftId)));
  }

  /** Like `removeAfter`, for several drafts at once. */
  removeAllAfter<Result>(
    draftIds: readonly string[],
    act: (drafts: readonly StoredDraft[]) => Promise<Result>,
  ): Promise<Result> {
    return this.#turns.pass(async () => {
      const drafts: StoredDraft[] = [];
      for (const id of draftIds) drafts.push(await this.get(id));
      const result = await act(drafts);
      for (const id of draftIds) {
        await rm(this.#path(id), { force: true });
        this.#drafts.delete(id);
      }
      const groups = new Set(drafts.map(({ group_id: group }) => group));
      const left = new Set([...this.#drafts.values()].map(({ group_id: group }) => group));
      for (const group of groups) if (group !== null && !left.has(group)) await this.groups.remove(group);
      return result;
    });
  }

  async #write(stored: StoredDraft): Promise<StoredDraft> {
    await this.#writeFile(stored);
    this.#drafts.set(stored.draft_id, summaryOf(stored));
    return stored;
  }

  async #writeFile(stored: StoredDraft): Promise<void> {
    try {
      await replaceDurably(this.#path(stored.draft_id), JSON.stringify(stored));
    } catch (error) {
      throw refusalOfSystem(error) ?? error;
    }
  }

  /** Refuses `not-found` unless there is such a draft. */
  requireDraft(draftId: string): void {
    if (!this.#drafts.has(draftId)) missing(draftId);
  }

  #path(draftId: string): string {
    return join(this.#folder, `${draftId}.json`);
  }
}

export function tooManyDrafts(): Refusal {
  return new Refusal("conflict", `There can be ${MAX_DRAFTS} drafts; delete or publish some of them first.`);
}

function newStored(draft: NewDraft, { actor, nowMs, group }: Change & { group: string | null }): StoredDraft {
  const time = new Date(nowMs).toISOString();
  const change = { revision: 1, created_at: time, created_by: actor, updated_at: time, updated_by: actor };
  return { draft_id: randomUUID(), ...draft, group_id: group, ...change };
}

export function requireRevision({ revision, updated_by: by }: DraftSummary, expected: number): void {
  if (revision === expected) return;
  throw new Refusal(
    "precondition-failed",
    `The draft has changed: ${by} saved revision ${revision}, and this request is about revision ${expected}.`,
    { headers: { ETag: `"${revision}"` } },
  );
}

function missing(draftId: string): never {
  throw new Refusal("not-found", `There is no draft ${draftId}; it may have been published or deleted.`);
}

function summaryOf({ text: _text, files: _files, ...summary }: StoredDraft): DraftSummary {
  return summary;
}

/** Undefined for any fault of the file: nobody can edit it. */
function parseStored(text: string): StoredDraft | undefined {
  return storedSchema.safeParse(parseJson(text)).data;
}
