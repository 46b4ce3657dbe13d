import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Refusal, type ProblemCode } from "@weft/shared/records/refusal.ts";

/**
 * Why the log cannot be written. The first three are temporary: facts wait in order until they are over. `failed` is
 * permanent: the disk reported lost data, so nothing written after it could be trusted.
 */
export type StorageProblem = "full" | "locked" | "read-only" | "failed";

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
 * The storage problem behind a database error; undefined if the disk is not the problem. `probe` writes a small file
 * next to the database: SQLite has one code for a broken and for a read-only disk.
 */
export function storageProblemOf(error: unknown, probe: () => string | undefined): StorageProblem | undefined {
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

function fromSystem(code: string | undefined): StorageProblem | undefined {
  if (code === "ENOSPC" || code === "EDQUOT") return "full";
  return code === "EROFS" || code === "EACCES" || code === "EPERM" ? "read-only" : undefined;
}

/** Writes and syncs a few bytes in the folder and removes them; returns the system's error code on failure. */
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
    // Another process that looks at the same time may have removed it.
    rmSync(path, { force: true });
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "EIO";
  }
}

const REFUSALS: Readonly<
  Record<StorageProblem, { readonly code: ProblemCode; readonly detail: string; readonly afterS: number }>
> = {
  full: {
    code: "disk-full",
    detail: "The disk of the state folder is full. Runs continue when there is space again; try again then.",
    afterS: 30,
  },
  locked: {
    code: "database-locked",
    detail:
      "Another program has locked weft.db in the state folder. Runs continue when it releases the lock; close the program.",
    afterS: 5,
  },
  "read-only": {
    code: "state-read-only",
    detail: "The state folder is read-only. Runs continue when it is writable again; check how its disk is mounted.",
    afterS: 30,
  },
  failed: {
    code: "storage-failed",
    detail:
      "The disk of the state folder reported an error. Nothing more is written, and the server stops. Check the disk.",
    afterS: 60,
  },
};

/** The message for rejected requests. */
export function refusalOf(storageProblem: StorageProblem): Refusal {
  const { code, detail, afterS } = REFUSALS[storageProblem];
  return new Refusal(code, detail, { headers: { "Retry-After": String(afterS) } });
}

/** The refusal for an error that writing another file caused; undefined if the disk is not the reason. */
export function refusalOfSystem(error: unknown): Refusal | undefined {
  const storageProblem = fromSystem((error as NodeJS.ErrnoException | null)?.code);
  return storageProblem === undefined ? undefined : refusalOf(storageProblem);
}

/** One sentence for the server's log. */
export function storageProblemText(storageProblem: StorageProblem): string {
  return REFUSALS[storageProblem].detail;
}
