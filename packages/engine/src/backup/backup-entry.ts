import { parseJson } from "@weft/shared/json/exact-json.ts";
import { normalize } from "node:path";
import { z } from "zod";
import { ExpectedError } from "../error-text.ts";

/** Thrown if a backup cannot be made or restored. */
export class BackupRefused extends ExpectedError {}

export const MANIFEST = "manifest.jsonl";
export const DATABASE = "weft.db";

/** Parts of a backup next to the log: folders of the state folder. */
const FOLDERS: ReadonlySet<string> = new Set(["audit", "drafts", "uploads", "wes-documents", "runs"]);
/** Only jobs create links, below `runs/<run>/outputs` and `runs/<run>/jobs/<attempt>`. */
const LINK = /^runs\/[^/]+\/[^/]+\/./;

const pathSchema = z.string().refine(isOfState);
const linkSchema = z.object({
  kind: z.literal("link"),
  path: pathSchema.regex(LINK),
  target: z.string(),
  /** True if the target is a path in the state folder. */
  within: z.boolean(),
});

/** One line of a backup's manifest. Paths are relative to the state folder and the same within the backup. */
const entrySchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("backup"),
    format: z.literal(1),
    version: z.string(),
    created: z.string(),
    /** Sequence number of the last event in the log. */
    last_seq: z.number(),
    with_files: z.boolean(),
  }),
  z.object({
    kind: z.literal("file"),
    path: pathSchema,
    size: z.number(),
    sha256: z.string(),
    mode: z.number().int().min(0).max(0o777),
  }),
  /** A hard link to an earlier entry. */
  z.object({ kind: z.literal("same"), path: pathSchema, as: pathSchema }),
  linkSchema.refine(({ target, within }) => !within || isInside(target)),
  z.object({ kind: z.literal("folder"), path: pathSchema }),
  /** The last line. A backup without it is incomplete. */
  z.object({ kind: z.literal("end"), entries: z.number() }),
]);

export type BackupEntry = z.infer<typeof entrySchema>;

/** Parses a line; refuses what no backup of Weft contains, such as a path that leads out of the state folder. */
export function parseEntry(line: string, number: number): BackupEntry {
  const { data, error } = entrySchema.safeParse(parseJson(line));
  if (data !== undefined) return data;
  const field = error.issues[0]?.path.join(".") ?? "";
  const wrong = field === "" ? "is not an entry of a backup" : `has a ${field} that no backup of Weft contains`;
  throw new BackupRefused(`${MANIFEST}:${number}: the line ${wrong}; use another backup`);
}

function isOfState(path: string): boolean {
  const [first = ""] = path.split("/");
  return path === DATABASE || (FOLDERS.has(first) && isInside(path));
}

function isInside(path: string): boolean {
  return normalize(path) === path && !path.startsWith("/") && !path.startsWith("..") && !path.includes("\0");
}
