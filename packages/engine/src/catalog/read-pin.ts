import { join } from "node:path";
import { z } from "zod";
import { Reach } from "../files/beneath/reach.ts";
import { runLater } from "../files/beneath/steps.ts";
import { hashOpenFile, textDigest } from "../files/hash-file.ts";
import { canonicalText } from "../values/canonical-text.ts";

const MAX_PIN_BYTES = 1024 * 1024;

/** A file of this name next to the document lists the files of the version with their checksums. */
export const PIN_FILE = "PINNED.json";

/** Paths relative to the version's folder, with SHA-256 in hexadecimal digits. */
const filesSchema = z.record(z.string().min(1).max(1000), z.string().regex(/^[0-9a-f]{64}$/));

export const pinSchema = z.union([
  /** `source`: where the version was imported from. */
  z.strictObject({ source: z.string().max(2048), files: filesSchema }),
  z.strictObject({ published: z.strictObject({ by: z.string().max(256), at: z.iso.datetime() }), files: filesSchema }),
]);
export type PinContent = z.infer<typeof pinSchema>;

/** A version that must not change. */
export interface Pin {
  /** The source of an imported version; undefined for a version that a Weft server published. */
  readonly source: string | undefined;
  /** Digest of the names and checksums of all files. */
  readonly digest: string;
  /** Files that are missing or have changed. */
  readonly changed: readonly string[];
}

/** The pin of a version's folder; `changed` contains the pin itself if it cannot be read. */
export async function readPin(folder: string): Promise<Pin> {
  const reach = new Reach({ regions: [{ folder }] });
  const parsed = pinSchema.safeParse(await readJson(reach, join(folder, PIN_FILE)));
  if (!parsed.success) return { source: "", digest: "", changed: [PIN_FILE] };
  const { files } = parsed.data;
  const source = "source" in parsed.data ? parsed.data.source : undefined;
  const changed: string[] = [];
  for (const [name, sha256] of Object.entries(files))
    if ((await sha256Of(reach, join(folder, name))) !== sha256) changed.push(name);
  return { source, digest: pinDigest(files), changed };
}

async function readJson(reach: Reach, path: string): Promise<unknown> {
  try {
    using file = await runLater(reach.openFile(path));
    return file.stats.size > MAX_PIN_BYTES ? undefined : JSON.parse(file.readAll().toString("utf8"));
  } catch {
    // Whatever the reason, the version cannot be compared with its pin.
    return undefined;
  }
}

async function sha256Of(reach: Reach, path: string): Promise<string | undefined> {
  try {
    using file = await runLater(reach.openFile(path));
    return (await hashOpenFile(file, path)).sha256;
  } catch {
    // A file that is missing, or is a link to elsewhere, is not the pinned one.
    return undefined;
  }
}

export function pinDigest(files: Readonly<Record<string, string>>): string {
  return textDigest(canonicalText(files));
}
