import { hash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { hexSha256Schema } from "@weft/shared/events/event-parts.ts";
import { z } from "zod";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { replaceDurably } from "../files/write-durably.ts";

/** A file of a draft: its content is stored under its digest. */
export const storedContentSchema = z.object({
  sha256: hexSha256Schema,
  bytes: z.int().min(0),
  /** Absent in drafts of older servers: like the file of the base that it replaces. */
  isExecutable: z.boolean().optional(),
});
export type StoredContent = Readonly<z.infer<typeof storedContentSchema>>;

/** Differences from the version that a draft is based on, by path; null: removed. */
export type FileChanges = Readonly<Record<string, StoredContent | null>>;

/** The contents of the files of all drafts, each stored once under its digest. */
export class DraftContents {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The content is on disk when the promise resolves. */
  async put(content: Buffer, isExecutable: boolean): Promise<StoredContent> {
    const sha256 = hash("sha256", content);
    const path = join(this.folder, sha256);
    const known = await stat(path).catch(undefinedIfMissing);
    if (known === undefined) await replaceDurably(path, content);
    return { sha256, bytes: content.length, isExecutable };
  }

  async get({ sha256 }: StoredContent): Promise<Buffer> {
    return readFile(join(this.folder, sha256));
  }

  /** Removes contents that no draft refers to. */
  async keepOnly(used: ReadonlySet<string>): Promise<void> {
    for (const name of (await readdir(this.folder).catch(undefinedIfMissing)) ?? [])
      if (!used.has(name)) await rm(join(this.folder, name), { force: true });
  }
}
