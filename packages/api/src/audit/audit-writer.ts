import { mkdir, open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { AuditEntry } from "@weft/shared/records/audit-record.ts";
import { syncToDisk } from "@weft/engine/files/write-durably.ts";
import type { Log } from "@weft/engine/log.ts";
import { EMPTY_CHAIN, nextEntry, parseLine, type AuditFacts, type ChainEnd } from "./audit-chain.ts";
import { listSegments, readLines, segmentName } from "./audit-folder.ts";

/** A file larger than this is closed, and a new one is started. */
const SEGMENT_BYTES = 4 * 1024 * 1024;
/** Maximum number of entries that wait for disk space. Further entries are counted, and the count is logged later. */
const MAX_WAITING = 10_000;
const TRY_AGAIN_MS = 1_000;

interface Waiting {
  readonly facts: AuditFacts;
  readonly settle: () => void;
}

/**
 * Appends to the audit log. Entries that arrive together are written and synced together. A failed batch is undone and
 * written again, so that the chain never has two versions of an entry. A crash leaves at most one broken last line,
 * whose entry was never acknowledged; opening the log removes it.
 */
export class AuditWriter {
  readonly #folder: string;
  readonly #log: Log;
  #file: FileHandle;
  #size: number;
  #end: ChainEnd;
  #waiting: Waiting[] = [];
  #lost = 0;
  #writing: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;

  private constructor(folder: string, log: Log, state: { file: FileHandle; size: number; end: ChainEnd }) {
    this.#folder = folder;
    this.#log = log;
    this.#file = state.file;
    this.#size = state.size;
    this.#end = state.end;
  }

  static async open(folder: string, log: Log): Promise<AuditWriter> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const segments = await listSegments(folder);
    const last = segments.at(-1);
    const end = last === undefined ? EMPTY_CHAIN : await findEnd(folder, segments);
    const path = join(folder, last ?? segmentName(1));
    await cutBrokenLine(path, log);
    const file = await open(path, "a", 0o600);
    await syncToDisk(folder);
    return new AuditWriter(folder, log, { file, size: (await file.stat()).size, end });
  }

  /** Resolves when the entry is on disk, or when it turns out that it cannot be written now. */
  append(facts: AuditFacts): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#lost += 1;
      return Promise.resolve();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ facts, settle: resolve });
    // Requests do not wait while the disk is full.
    if (this.#retry !== undefined) resolve();
    else this.#writing ??= this.#writeAll();
    return promise;
  }

  /** Resolves when all entries appended so far are on disk, or cannot be written now. */
  async idle(): Promise<void> {
    await this.#writing;
  }

  /** Writes the waiting entries, if possible. */
  async close(): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    await (this.#writing ?? this.#writeAll());
    clearTimeout(this.#retry);
    await this.#file.close();
  }

  async #writeAll(): Promise<void> {
    let isWritten = true;
    while (isWritten && this.#waiting.length > 0) isWritten = await this.#writeBatch(this.#waiting.length);
    this.#writing = undefined;
  }

  async #writeBatch(count: number): Promise<boolean> {
    const batch = this.#waiting.slice(0, count);
    let end = this.#end;
    const entries = batch.map(({ facts }) => {
      const entry = nextEntry(facts, end);
      end = entry;
      return entry;
    });
    const failure = await this.#writeDurably(entries).catch((error: unknown) => error ?? new Error("no reason"));
    for (const { settle } of batch) settle();
    if (failure !== undefined) {
      this.#waitForRoom(failure);
      return false;
    }
    this.#waiting = this.#waiting.slice(count);
    this.#end = { seq: end.seq, hash: end.hash };
    this.#reportLost();
    return true;
  }

  async #writeDurably(entries: readonly AuditEntry[]): Promise<undefined> {
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    if (this.#size > SEGMENT_BYTES) await this.#beginSegment();
    // Removes the lines of a failed attempt, including complete ones.
    await this.#file.truncate(this.#size);
    await this.#file.appendFile(text);
    await this.#file.datasync();
    this.#size += Buffer.byteLength(text);
  }

  async #beginSegment(): Promise<void> {
    const next = await open(join(this.#folder, segmentName(this.#end.seq + 1)), "a", 0o600);
    await this.#file.close();
    this.#file = next;
    this.#size = 0;
    await syncToDisk(this.#folder);
  }

  #waitForRoom(failure: unknown): void {
    this.#log("error", "The audit log cannot be written", { error: String(failure) });
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#writing ??= this.#writeAll();
    }, TRY_AGAIN_MS).unref();
  }

  #reportLost(): void {
    if (this.#lost === 0 || this.#waiting.length > 0) return;
    const count = this.#lost;
    this.#lost = 0;
    void this.append(lostEntries(count));
  }
}

function lostEntries(count: number): AuditFacts {
  const nothing = { client: "", method: "", path: "", status: null, code: null, request_id: null, role: null };
  const time = new Date().toISOString();
  return {
    time,
    principal: "server",
    action: "audit.lost",
    target: "entries for which there was no space",
    count,
    ...nothing,
  };
}

/** The last complete entry; the newest file may not have one yet. */
async function findEnd(folder: string, segments: readonly string[]): Promise<ChainEnd> {
  for (const name of segments.toReversed()) {
    const entry = parseLine((await readLines(folder, name)).at(-1) ?? "");
    if (entry !== undefined) return { seq: entry.seq, hash: entry.hash };
  }
  return EMPTY_CHAIN;
}

async function cutBrokenLine(path: string, log: Log): Promise<void> {
  await using file = await open(path, "a+", 0o600);
  const text = await file.readFile();
  const whole = text.lastIndexOf(0x0a) + 1;
  if (whole === text.length) return;
  log("warn", "The last line of the audit log was incomplete and has been removed", { path });
  await file.truncate(whole);
  await file.sync();
}
