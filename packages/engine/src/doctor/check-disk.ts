import { existsSync, readFileSync } from "node:fs";
import { access, constants, mkdtemp, open, realpath, rm, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isBelow } from "../files/is-below.ts";
import { networkDisk } from "../files/network-disk.ts";
import { failed, ok, warning, type Finding } from "./machine.ts";
import { errorWords } from "../error-text.ts";

/** Measurements of the disk of a folder. */
export interface DiskFacts {
  /** The folder, or its nearest existing parent. */
  readonly folder: string;
  /** The kernel's name of the file system, such as `ext4`. */
  readonly type: string;
  /** Name of the file system if machines share it: `NFS`. */
  readonly network: string | undefined;
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Infinity for file systems that do not count them. */
  readonly freeInodes: number;
  /** Median of some small writes with fsync, or the system's error code. */
  readonly sync: { readonly ms: number } | { readonly code: string };
}

const GIB = 1024 ** 3;
const LEAST_BYTES = GIB;
/** With less free space, the log cannot be written, although small files may still fit. */
const FULL_BYTES = 16 * 1024 ** 2;
const LEAST_INODES = 10_000;
/** The limit for one sync: Weft syncs each group of events, and requests wait for it. */
const SLOW_SYNC_MS = 100;
const SYNCS = 5;
const LEAST_TEMPORARY_BYTES = 100 * 1024 ** 2;

export async function checkDisk(stateFolder: string): Promise<Finding> {
  return judgeDisk(await measureDisk(stateFolder), stateFolder);
}

export function judgeDisk(facts: DiskFacts, stateFolder: string): Finding {
  const { type, network, freeBytes, totalBytes, freeInodes, sync } = facts;
  const space = `${sizeText(freeBytes)} of ${sizeText(totalBytes)} free`;
  const elsewhere = "weft serve --state ANOTHER-FOLDER";
  const prune = `weft prune --state ${stateFolder} --yes`;
  if (network !== undefined)
    return failed(
      `${stateFolder} is on ${network}, where locks and syncs are unreliable`,
      "weft serve --state FOLDER-ON-A-LOCAL-DISK",
    );
  if ("code" in sync ? isFull(sync.code) : freeBytes < FULL_BYTES)
    return failed(`the disk of ${stateFolder} is full (${type}, ${space})`, prune);
  if ("code" in sync) return failed(`${facts.folder} cannot be written (${sync.code})`, elsewhere);
  if (freeBytes < LEAST_BYTES) return warning(`only ${space} (${type})`, prune);
  if (freeInodes < LEAST_INODES) return warning(`space for only ${freeInodes} more files (${type})`, prune);
  const speed = `fsync takes ${sync.ms.toFixed(1)} ms`;
  if (type === "tmpfs" || type === "ramfs")
    return warning(`${stateFolder} is in memory (${type}) and will be lost when the machine stops`, elsewhere);
  if (sync.ms > SLOW_SYNC_MS)
    return warning(`${speed}, and every request that changes something waits for one`, elsewhere);
  return ok(`${type}, ${space}, ${speed}`);
}

async function measureDisk(stateFolder: string): Promise<DiskFacts> {
  const folder = await existingFolder(stateFolder);
  const { type, bavail, bsize, blocks, ffree, files } = await statfs(folder);
  return {
    folder,
    type: mountType(await realpath(folder), mounts()) ?? "unknown type",
    network: networkDisk(type),
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    freeInodes: files === 0 ? Number.POSITIVE_INFINITY : ffree,
    sync: await measureSync(folder),
  };
}

/** The folder, or the nearest one above it that exists. */
export async function existingFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true || dirname(path) === path ? path : existingFolder(dirname(path));
}

async function measureSync(folder: string): Promise<DiskFacts["sync"]> {
  let own: string | undefined;
  try {
    own = await mkdtemp(join(folder, ".weft-doctor-"));
    const file = await open(join(own, "probe"), "w", 0o600);
    const times: number[] = [];
    try {
      for (let written = 0; written < SYNCS; written++) {
        const startMs = performance.now();
        await file.write(Buffer.alloc(4096, written));
        await file.sync();
        times.push(performance.now() - startMs);
      }
    } finally {
      await file.close();
    }
    return { ms: times.toSorted((a, b) => a - b)[Math.floor(SYNCS / 2)] ?? 0 };
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code ?? "EIO" };
  } finally {
    if (own !== undefined) await rm(own, { recursive: true, force: true });
  }
}

/** Temporary files of Weft and of container engines. */
export async function checkTemporaryFolder(folder = tmpdir()): Promise<Finding> {
  const fix = "export TMPDIR=/var/tmp";
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(folder);
    const sync = await measureSync(folder);
    if ("code" in sync) return failed(`${folder} cannot be written (${sync.code})`, fix);
    const free = bavail * bsize;
    if (free < LEAST_TEMPORARY_BYTES) return warning(`${folder} has only ${sizeText(free)} free`, fix);
    return ok(`${folder}, ${sizeText(free)} free`);
  } catch (error) {
    return failed(`${folder} cannot be used (${errorWords(error)})`, fix);
  }
}

/** The type of the mount that contains an absolute, real path, from the lines of /proc/self/mountinfo. */
export function mountType(path: string, mountinfo: string): string | undefined {
  let found: { readonly point: string; readonly type: string } | undefined;
  for (const line of mountinfo.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const point = (before.split(" ")[4] ?? "").replace(/\\(\d{3})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    );
    const type = after.split(" ")[0] ?? "";
    // A later mount hides an earlier one at the same path.
    if (point !== "" && isBelow(path, point) && point.length >= (found?.point.length ?? 0)) found = { point, type };
  }
  return found?.type;
}

function mounts(): string {
  return existsSync("/proc/self/mountinfo") ? readFileSync("/proc/self/mountinfo", "utf8") : "";
}

function isFull(code: string): boolean {
  return code === "ENOSPC" || code === "EDQUOT";
}

function sizeText(bytes: number): string {
  return bytes < GIB ? `${Math.floor(bytes / 1024 ** 2)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;
}
