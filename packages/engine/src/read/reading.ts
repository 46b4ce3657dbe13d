import { hash } from "node:crypto";
import type { Limits } from "@weft/shared/limits.ts";
import type { AllowedRoots } from "../access/allowed-roots.ts";
import { openServerFiles, type DiskAccess, type ServerFolders } from "../access/disk-access.ts";
import type { Tasks } from "../async/thread-pool.ts";
import type { LogFeature } from "../journal/log-feature.ts";
import { createLogReader, type LogReader } from "../journal/log-reader.ts";
import { openForReading } from "../journal/open-database.ts";
import type { Caller } from "../port/caller.ts";
import type { HashedText } from "../port/route-methods.ts";

export interface ReadData {
  /** Absolute path of the log. */
  readonly database: string;
  readonly folders: ServerFolders;
  readonly limits: Limits;
}

/** The log and the files as a thread of the read pool sees them. */
export interface Reading {
  /** A connection of the thread's own. */
  readonly read: LogReader;
  readonly roots: AllowedRoots;
  readonly access: DiskAccess;
  readonly folders: ServerFolders;
  readonly limits: Limits;
}

/**
 * Functions of one part for the threads of the read pool, for one caller each time. Called once in each thread, which keeps
 * its caches of data that never change. An answer that grows with the jobs of a run or the files of a folder belongs here.
 */
export type ReadTasks = (reading: Reading) => (caller: Caller) => Tasks;

export function openReading({ database, ...data }: ReadData, features: readonly LogFeature[]): Reading {
  const read = createLogReader(openForReading(database), "reader", features);
  return { read, ...data, ...openServerFiles(data.folders, read) };
}

/** UTF-8 with its digest. */
export type Bytes = HashedText<Uint8Array<ArrayBuffer>>;

export function hashed(content: string | Uint8Array<ArrayBuffer>): Bytes {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { bytes, sha256: hash("sha256", bytes, "base64url") };
}
