import { hash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { z } from "zod";
import { PIN_FILE, type PinContent } from "../catalog/read-pin.ts";
import { undefinedIfMissing } from "../files/beneath/undefined-if-missing.ts";
import { refusalOfSystem } from "../journal/storage/storage-problem.ts";
import { copyFiles, filesBelow, removeOld, type CopiedFiles } from "./copy-files.ts";
import { replaceDurably, syncToDisk, writeDurably } from "../files/write-durably.ts";

export interface NewVersion extends CopiedFiles {
  readonly kind: "tool" | "network";
  readonly id: string;
  readonly version: string;
  readonly text: string;
  readonly by: string;
  readonly at: string;
}

/**
 * Writes versions into the catalog: completely into hidden folders, then to their paths by one rename each. All renames
 * are recorded before the first one, so that after a crash `finishPublishing` carries out the missing ones. All versions
 * are published, or none.
 */
export async function publishVersions(root: string, versions: readonly NewVersion[]): Promise<void> {
  await finishPublishing(root);
  await removeOld(root, { prefix: PARTIAL, afterMs: LEFTOVER_AFTER_MS });
  const moves: Move[] = [];
  for (const version of versions) {
    const to = join(`${version.kind}s`, version.id, version.version);
    if (existsSync(join(root, to)) || moves.some((move) => move.to === to)) throw taken(version);
    moves.push({ from: `${PARTIAL}${randomUUID()}`, to });
  }
  let isPlanned = false;
  try {
    for (const [index, version] of versions.entries()) {
      const folder = join(root, moves[index]?.from ?? "");
      await fill(folder, version);
      await shareTree(folder, await sharedMode(root));
    }
    if (moves.length > 1) {
      const plan = join(root, `${PLAN}${randomUUID()}.json`);
      await replaceDurably(plan, JSON.stringify({ moves }));
      isPlanned = true;
      await finishPublishing(root);
    } else for (const move of moves) await moveVersion(root, move);
  } catch (error) {
    throw refusalOfSystem(error) ?? error;
  } finally {
    if (!isPlanned) for (const { from } of moves) await rm(join(root, from), { recursive: true, force: true });
  }
}

interface Move {
  /** Relative to the catalog's root. */
  readonly from: string;
  readonly to: string;
}

const PARTIAL = ".publish-";
const PLAN = ".publish-plan-";
const planSchema = z.object({
  moves: z.array(
    z.object({
      from: z.string().regex(/^\.publish-[0-9a-f-]{36}$/),
      to: z.string().regex(/^(?:tools|networks)\/[a-z0-9][a-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._+-]*$/),
    }),
  ),
});

function taken({ id, version }: Pick<NewVersion, "id" | "version">): Refusal {
  return new Refusal("conflict", `${id} already has a version ${version}. Choose another one.`);
}

/** Carries out the renames that a crash prevented. Harmless if another server does so at the same time. */
export async function finishPublishing(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(PLAN) || !name.endsWith(".json")) continue;
    const text = await readFile(join(root, name), "utf8").catch(undefinedIfMissing);
    const { moves } = planSchema.parse(JSON.parse(text ?? '{"moves":[]}'));
    // If a path was taken in the meantime, its content is kept.
    for (const move of moves) if (existsSync(join(root, move.from))) await moveVersion(root, move, true);
    await rm(join(root, name), { force: true });
  }
}

async function moveVersion(root: string, { from, to }: Move, isRepeated = false): Promise<void> {
  const target = join(root, to);
  await makeFolders(dirname(target), await sharedMode(root));
  try {
    await rename(join(root, from), target);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const isTaken = code === "ENOTEMPTY" || code === "EEXIST";
    if (isRepeated && (isTaken || code === "ENOENT")) await rm(join(root, from), { recursive: true, force: true });
    else if (isTaken) throw taken({ id: basename(dirname(to)), version: basename(to) });
    else throw error;
  }
  await syncToDisk(dirname(target));
  await syncToDisk(dirname(dirname(target)));
}

/**
 * Permissions of the catalog's root. Published files get the same ones whatever the umask of this server, because other
 * accounts and servers may share the catalog.
 */
async function sharedMode(root: string): Promise<number> {
  return (await stat(root)).mode & 0o777;
}

/** Creates missing folders with the shared permissions. */
async function makeFolders(folder: string, mode: number): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await chmod(made, mode);
}

async function shareTree(folder: string, mode: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await shareTree(path, mode);
    else if (entry.isFile()) await chmod(path, mode & (((await stat(path)).mode & 0o100) === 0 ? 0o666 : 0o777));
  }
  await chmod(folder, mode);
}

/** Crashed servers left older folders behind: no version takes longer to write. A younger one may be another server's. */
const LEFTOVER_AFTER_MS = 60 * 60 * 1000;

async function fill(folder: string, { id, text, by, at, ...copied }: NewVersion): Promise<void> {
  await mkdir(folder);
  await copyFiles(copied, folder);
  for (const path of await filesBelow(folder)) await syncToDisk(path);
  await writeDurably(join(folder, `${id}.cwl`), text);
  const files: Record<string, string> = {};
  for (const path of await filesBelow(folder)) {
    const bytes = await readFile(path);
    files[relative(folder, path)] = hash("sha256", bytes);
  }
  const pin: PinContent = { published: { by, at }, files };
  await writeDurably(join(folder, PIN_FILE), `${JSON.stringify(pin, undefined, 2)}\n`);
}
