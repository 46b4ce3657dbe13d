import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@weft/shared/json/exact-json.ts";
import { storedGroupSchema, type StoredGroup } from "@weft/shared/records/draft-group-record.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { refusalOfSystem } from "../journal/storage/storage-problem.ts";
import { replaceDurably } from "../files/write-durably.ts";

/** The folder of groups, next to the drafts. */
export const GROUPS = "groups";

/** Groups of drafts, one file each, which is written after the drafts: a group without its file is incomplete. */
export class DraftGroups {
  readonly #folder: string;
  readonly #groups: Map<string, StoredGroup>;

  private constructor(folder: string, groups: Map<string, StoredGroup>) {
    this.#folder = folder;
    this.#groups = groups;
  }

  static async open(folder: string): Promise<DraftGroups> {
    const groups = new Map<string, StoredGroup>();
    for (const name of (await readdir(folder).catch(undefinedIfMissing)) ?? []) {
      const text = name.endsWith(".json") ? await readFile(join(folder, name), "utf8") : "";
      // Without the file of a group, its drafts count as incomplete.
      const group = storedGroupSchema.safeParse(parseJson(text)).data;
      if (group === undefined) await rm(join(folder, name), { force: true });
      else groups.set(group.group_id, group);
    }
    return new DraftGroups(folder, groups);
  }

  find(groupId: string): StoredGroup | undefined {
    return this.#groups.get(groupId);
  }

  async add(group: StoredGroup): Promise<StoredGroup> {
    try {
      await replaceDurably(join(this.#folder, `${group.group_id}.json`), JSON.stringify(group));
    } catch (error) {
      throw refusalOfSystem(error) ?? error;
    }
    this.#groups.set(group.group_id, group);
    return group;
  }

  async remove(groupId: string): Promise<void> {
    await rm(join(this.#folder, `${groupId}.json`), { force: true });
    this.#groups.delete(groupId);
  }

  /** Removes groups whose drafts are all gone. */
  async keepOnly(used: ReadonlySet<string | null>): Promise<void> {
    for (const id of [...this.#groups.keys()]) if (!used.has(id)) await this.remove(id);
  }
}
