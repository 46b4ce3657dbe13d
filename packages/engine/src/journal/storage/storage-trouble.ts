import { closeSync, fsyncSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { ProblemCode } from "@weft/shared/records/refusal.ts";

/**
 * Why the log cannot be written. The first three pass: what has happened waits in its order until they are over. `failed`
 * does not: the disk said that it lost something, so nothing that is written after it could be believed.
 */
export type StorageTrouble = "full" | "locked" | "read-only" | "failed";

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/** Kinds of SQLITE_IOERR (https://www.sqlite.org/rescode.html) in which a sync, not a write, has failed. */
const SYNC_FAILURES: ReadonlySet<number> = new Set([SQLITE_IOERR | (4 << 8), SQLITE_IOERR | (5 << 8)]);

/**
 * What an error of the database says about the disk; undefined where it is no trouble of the disk. `probe` tells what becomes
 * of a small file beside the database: SQLite has one code for a disk that broke and for one that became read-only.
 */
export function troubleOf(error: unknown, probe: () => string | undefined): StorageTrouble | undefined {
  const code = (error as { readonly errcode?: unknown } | null)?.errcode;
  if (typeof code !== "number") return undefined;
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "full";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "locked";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "failed";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return fromSystem(probe()) ?? "read-only";
    case SQLITE_IOERR:
      return SYNC_FAILURES.has(code) ? "failed" : (fromSystem(probe()) ?? "failed");
    default:
      return undefined;
  }
}

function fromSystem(code: string | undefined): StorageTrouble | undefined {
  if (code === "ENOSPC" || code === "EDQUOT") return "full";
  return code === "EROFS" || code === "EACCES" || code === "EPERM" ? "read-only" : undefined;
}

/** Writes and syncs a few bytes in the folder and takes them away again; answers the system's code where that fails. */
export function probeFolder(folder: string): string | undefined {
  const path = join(folder, "probe");
  try {
    const file = openSync(path, "w", 0o600);
    try {
      writeSync(file, "probe\n");
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    unlinkSync(path);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "EIO";
  }
}

const REFUSALS: Readonly<
  Record<StorageTrouble, { readonly code: ProblemCode; readonly detail: string; readonly afterS: number }>
> = {
  full: {
    code: "disk-full",
    detail: "The disk of the state folder is full. Runs go on when there is room again; ask again then.",
    afterS: 30,
  },
  locked: {
    code: "database-locked",
    detail:
      "Another program holds weft.db in the state folder locked. Runs go on when it lets go; close what has that file open.",
    afterS: 5,
  },
  "read-only": {
    code: "state-read-only",
    detail: "The state folder is read-only. Runs go on when it can be written again; see how its disk is mounted.",
    afterS: 30,
  },
  failed: {
    code: "storage-failed",
    detail: "The disk of the state folder reported an error. Nothing more is written; the server ends. Check the disk.",
    afterS: 60,
  },
};

/** What whoever asks for something is told meanwhile. */
export function refusalOf(trouble: StorageTrouble): Refusal {
  const { code, detail, afterS } = REFUSALS[trouble];
  return new Refusal(code, detail, { headers: { "Retry-After": String(afterS) } });
}

/** The refusal for an error that writing another file caused; undefined if the disk is not the reason. */
export function refusalOfSystem(error: unknown): Refusal | undefined {
  const trouble = fromSystem((error as NodeJS.ErrnoException | null)?.code);
  return trouble === undefined ? undefined : refusalOf(trouble);
}

/** One sentence for the server's log. */
export function troubleText(trouble: StorageTrouble): string {
  return REFUSALS[trouble].detail;
}
