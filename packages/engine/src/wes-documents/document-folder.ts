import { hash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { senderMark } from "../access/document-rights.ts";
import { openTrustedFile } from "../files/beneath/open-file.ts";
import { runLater } from "../files/beneath/steps.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { replaceDurably, writeDurably } from "../files/write-durably.ts";
import { refusalOfSystem } from "../journal/storage/storage-problem.ts";

const RECORD = "document.json";
const APPROVAL = "approval.json";
const FILES = "files";

const fileSchema = z.strictObject({ path: z.string(), bytes: z.int().min(0), sha256: z.string() });

/** The record that is stored with the files of a document; never changes. */
const recordSchema = z.strictObject({
  primary: z.string(),
  kind: z.enum(["network", "tool"]),
  name: z.string(),
  source: z.string(),
  added_by: z.string(),
  added_ms: z.number(),
  files: z.array(fileSchema),
});
export type StoredRecord = z.infer<typeof recordSchema>;

const approvalSchema = z.strictObject({ by: z.string(), ms: z.number() });
export type Approval = z.infer<typeof approvalSchema>;

export interface StoredDocument {
  /** `sha256:` and 64 digits. */
  readonly digest: string;
  readonly record: StoredRecord;
  readonly approval: Approval | undefined;
}

/** All documents of the folder `wes-documents`, in no particular order. Ignores the remains of crashes. */
export async function readDocuments(root: string): Promise<readonly StoredDocument[]> {
  const found: StoredDocument[] = [];
  for (const name of await readdir(root)) {
    if (!/^[0-9a-f]{64}$/.test(name)) {
      await rm(join(root, name), { recursive: true, force: true });
      continue;
    }
    const record = recordSchema.safeParse(await readJson(join(root, name, RECORD)));
    const approval = approvalSchema.safeParse(await readJson(join(root, name, APPROVAL)));
    if (record.success) found.push({ digest: `sha256:${name}`, record: record.data, approval: approval.data });
  }
  return found;
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch(undefinedIfMissing);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // A damaged file counts as missing, so the document is not listed, or not approved.
    return undefined;
  }
}

/** The path of a file of a document. */
export function documentFile(root: string, digest: string, path: string): string {
  return join(folderOf(root, digest), FILES, path);
}

export function folderOf(root: string, digest: string): string {
  return join(root, digest.slice("sha256:".length));
}

/** True if the files match the digest in the document's name. */
export async function isUnchanged(root: string, { digest, record }: StoredDocument): Promise<boolean> {
  for (const { path, sha256 } of record.files) {
    const content = await readFile(documentFile(root, digest, path)).catch(undefinedIfMissing);
    if (content === undefined || hash("sha256", content) !== sha256) return false;
  }
  return true;
}

interface NewDocument extends Pick<StoredDocument, "digest" | "record"> {
  readonly contents: ReadonlyMap<string, string>;
}

/**
 * Copies the files of a document, whose paths `contents` maps to files on this machine. The document is complete and
 * durable when it appears under its digest. Returns false if the document already existed.
 */
export async function storeDocument(root: string, { digest, record, contents }: NewDocument): Promise<boolean> {
  const draft = join(root, `.${randomUUID()}`);
  try {
    for (const { path, sha256 } of record.files) {
      using source = await runLater(openTrustedFile(contents.get(path) ?? ""));
      const content = source.readAll();
      if (hash("sha256", content) !== sha256) throw new Error(`the attachment ${path} changed while it was read`);
      await mkdir(dirname(join(draft, FILES, path)), { recursive: true });
      await writeDurably(join(draft, FILES, path), content);
    }
    await writeDurably(join(draft, RECORD), JSON.stringify(record));
    await rename(draft, folderOf(root, digest));
    return true;
  } catch (error) {
    // Another request has stored this document in the meantime.
    if (["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw refusalOfSystem(error) ?? error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A caller who sends the content of a document that already exists may read and run it, too. */
export async function storeSender(root: string, digest: string, principal: string): Promise<void> {
  const mark = await open(join(folderOf(root, digest), senderMark(principal)), "a", 0o600);
  await mark.close();
}

/** Stores an approval; undefined withdraws it. */
export async function storeApproval(root: string, digest: string, approval: Approval | undefined): Promise<void> {
  const path = join(folderOf(root, digest), APPROVAL);
  try {
    if (approval === undefined) return await rm(path, { force: true });
    await replaceDurably(path, JSON.stringify(approval));
  } catch (error) {
    throw refusalOfSystem(error) ?? error;
  }
}
