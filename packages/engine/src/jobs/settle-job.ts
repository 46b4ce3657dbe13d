import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { RECORD_FILE } from "../executor/job-record-text.ts";
import { openTrustedFolder } from "../files/beneath/open-folder.ts";
import type { OpenFile } from "../files/beneath/open-file.ts";
import type { OpenFolder } from "../files/beneath/open-folder.ts";
import { runLater, runNow } from "../files/beneath/steps.ts";
import { codeOf } from "../files/beneath/system-calls.ts";
import type { UnsyncedFiles } from "../files/disk-files.ts";
import { rememberLinked, rememberPlace, remembersStates } from "../files/hash-file.ts";
import { RESULTS, resultName } from "../files/result-file.ts";
import type { SecretStore } from "../secrets/secret-store.ts";
import { filesOf, mapObjectFiles } from "../values/map-files.ts";
import type { Job } from "./job.ts";
import { pathsOf } from "./launch-command.ts";

interface OutputServices extends SettleServices {
  /** The files that a job may have as outputs. */
  readonly unsyncedFiles: UnsyncedFiles;
}

export interface SettleServices {
  readonly runsFolder: string;
  readonly sync: boolean;
  readonly secrets: SecretStore;
}

/**
 * Syncs the outputs of a job, if `sync` is set. Those of a scattered job get a second name in the results folder of its
 * run and are returned under that name, so that the job's folder can be removed once its end is recorded. Until then
 * both names exist: a server that reattaches the job finds the outputs where the tool left them. Outputs that are not
 * regular files, and folders with other content, stay where they are.
 */
export async function settleOutputs(job: Job, outputs: CwlObject, services: OutputServices): Promise<CwlObject> {
  const moved = isSettled(job, services) ? await moveOutputs(job, outputs, services) : undefined;
  if (moved === undefined && services.sync) await syncFiles(outputs, services.unsyncedFiles);
  return moved ?? outputs;
}

/** Only those with a checksum: the log does not record the content of other files. */
async function syncFiles(outputs: CwlObject, files: UnsyncedFiles): Promise<void> {
  for (const { file } of filesOf(outputs)) {
    if (file.class !== "File" || file.location === undefined || file.checksum === undefined) continue;
    if (files.isRemote?.(file.location) !== true) await files.sync(file.location);
  }
}

/** Undefined if they stay where they are. Syncing a file once is enough, when it has both names. */
async function moveOutputs(job: Job, outputs: CwlObject, services: SettleServices): Promise<CwlObject | undefined> {
  const { outdir } = pathsOf(job);
  using from = runNow(openTrustedFolder(outdir));
  const names = namesOfOutputs(from, outputs);
  if (names === undefined || names.length === 0) return undefined;
  const results = openResults(join(services.runsFolder, job.runId));
  using to = results;
  const moved = new Map<string, string>();
  for (const name of names) {
    const result = resultName(job, name);
    if (result === undefined || !(await addName(from, name, { to, result, sync: services.sync }))) return undefined;
    const [before, after] = [join(outdir, name), join(to.path, result)];
    rememberPlace([before], after);
    moved.set(pathToUri(before), pathToUri(after));
  }
  return mapObjectFiles(outputs, (file) => {
    const location = moved.get(file.location ?? "");
    return location === undefined ? file : { ...file, location };
  });
}

/**
 * A job that is not scattered keeps its folder, because people look into it. Other backends keep their own files in
 * the folder, and secrets are searched for in it.
 */
export function isSettled({ isScattered, backend, runId }: Job, { secrets }: Pick<SettleServices, "secrets">): boolean {
  return isScattered && backend === "local" && secrets.of(runId).isEmpty;
}

/** The names of all entries of the output directory; undefined unless each is an output and a regular file. */
function namesOfOutputs(outdir: OpenFolder, outputs: CwlObject): readonly string[] | undefined {
  const locations = new Set(filesOf(outputs).flatMap(({ file }) => (file.class === "File" ? [file.location] : [])));
  const entries = runNow(outdir.entries());
  const areOutputs = entries.every(
    (entry) => entry.isFile() && locations.has(pathToUri(join(outdir.path, entry.name))),
  );
  return areOutputs ? entries.map(({ name }) => name) : undefined;
}

function openResults(runFolder: string): OpenFolder {
  const path = join(runFolder, RESULTS);
  try {
    return runNow(openTrustedFolder(path));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    mkdirSync(path, { recursive: true });
    return runNow(openTrustedFolder(path));
  }
}

interface SecondName {
  readonly to: OpenFolder;
  readonly result: string;
  readonly sync: boolean;
}

/** False if the file system cannot link, or for a file with other hard links. */
async function addName(from: OpenFolder, name: string, { to, result, sync }: SecondName): Promise<boolean> {
  using file = runNow(from.file(name));
  if (!hasName(file, to, result)) {
    if (file.stats.nlink > 1) return false;
    const before = remembersStates() ? file.stateNow() : undefined;
    if (!linkAnew(from.at(name), file, { to, result })) return false;
    if (before !== undefined) rememberLinked(before, file.stateNow());
  }
  // Its content and its new name.
  if (sync) await runLater(file.sync());
  return true;
}

/** An earlier server may have linked it. */
function hasName({ stats }: OpenFile, folder: OpenFolder, name: string): boolean {
  if (stats.nlink === 1) return false;
  const there = runNow(folder.lstat(name));
  return there !== undefined && there.ino === stats.ino && there.dev === stats.dev;
}

/** An equal job of an earlier server may have left a file of that name. */
function linkAnew(source: string, file: OpenFile, { to, result }: Omit<SecondName, "sync">): boolean {
  try {
    return runNow(to.link(source, file, result));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    runNow(to.removeFile(result));
    return runNow(to.link(source, file, result));
  }
}

/**
 * Removes unneeded files from the folder of a successful job whose end is recorded: linked outputs, the launch file, its
 * record, empty streams, and folders that are then empty. Leaves what cannot be removed.
 */
export function clearJob(job: Job, outputs: CwlObject, services: Pick<SettleServices, "runsFolder" | "secrets">): void {
  if (!isSettled(job, services)) return;
  try {
    {
      using folder = runNow(openTrustedFolder(job.folder));
      removeOutputs(folder, settledNames(job, outputs, services));
      removeLinks(folder);
      for (const name of ["launch", RECORD_FILE]) runNow(folder.removeFile(name));
      for (const stream of ["stdout", "stderr"]) removeIfEmpty(folder, stream);
      for (const name of ["tmp", "out"]) if (runNow(folder.lstat(name)) !== undefined) runNow(folder.removeEmpty(name));
    }
    rmdirSync(job.folder);
  } catch (error) {
    if (!STAYS.has(codeOf(error) ?? "")) throw error;
  }
}

/** It has other content, is gone, or is in use. */
const STAYS = new Set(["ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", "ELOOP", "EBUSY", "EACCES", "EPERM"]);

/** The names in the output directory of outputs that are now results. */
function settledNames(job: Job, outputs: CwlObject, { runsFolder }: Pick<SettleServices, "runsFolder">): Set<string> {
  const results = pathToUri(join(runsFolder, job.runId, RESULTS, resultName(job, "") ?? ""));
  const locations = filesOf(outputs).flatMap(({ file }) => file.location ?? []);
  return new Set(
    locations.filter((uri) => uri.startsWith(results)).map((uri) => decodeURIComponent(uri.slice(results.length))),
  );
}

function removeIfEmpty(folder: OpenFolder, name: string): void {
  if (runNow(folder.lstat(name))?.size === 0) runNow(folder.removeFile(name));
}

function removeOutputs(folder: OpenFolder, names: ReadonlySet<string>): void {
  using out = runNow(folder.folder("out"));
  for (const name of names) runNow(out.removeFile(name));
}

/** Inputs are elsewhere: removes the folder in which they were staged if it contains only a few links to them. */
function removeLinks(folder: OpenFolder): void {
  if (runNow(folder.lstat("in")) === undefined) return;
  {
    using staged = runNow(folder.folder("in"));
    if (!holdsOnlyLinks(staged)) return;
  }
  runNow(folder.removeAll("in"));
}

const MAX_LINKS = 100;

function holdsOnlyLinks(folder: OpenFolder): boolean {
  const entries = runNow(folder.entries());
  if (entries.length > MAX_LINKS) return false;
  return entries.every((entry) => {
    if (!entry.isDirectory()) return entry.isSymbolicLink();
    using inner = runNow(folder.folder(entry.name));
    return holdsOnlyLinks(inner);
  });
}
