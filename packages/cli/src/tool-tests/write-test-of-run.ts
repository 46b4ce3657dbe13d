import { copyFile, mkdir, stat, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { CwlObject, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import { writeToolTest } from "@weft/language/tool-tests/write-tool-test.ts";
import { scanCatalog } from "@weft/engine/catalog/scan-catalog.ts";
import { isBelow } from "@weft/engine/files/is-below.ts";
import { readRecordedRun, type RecordedRun } from "@weft/engine/tests/read-recorded-run.ts";
import { mapObjectFiles } from "@weft/engine/values/map-files.ts";
import { runIdSchema } from "@weft/shared/records/primitives.ts";
import { writeLine, type CommandIo } from "../io/command-io.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import { readDataFolders } from "../settings/data-folders.ts";
import type { Settings } from "../settings/read-settings.ts";
import { SHIPPED } from "../settings/shipped-files.ts";

/** Larger inputs stay where they are. */
const MAX_COPIED_BYTES = 1024 * 1024;

/** Writes a test with the inputs and outputs of a recorded run next to its document in the catalog, and prints its path. */
export async function writeTestOfRun(settings: Settings): Promise<number> {
  const catalog = settings.path("catalog") ?? SHIPPED.catalog;
  const { row, inputs, outputs } = recordedRun(settings, catalog);
  if (row.state !== "COMPLETE" || outputs === undefined)
    throw new UsageError(`run ${row.runId} did not succeed; choose a successful run to write a test from`);
  const folder = await testsFolder(catalog, row);
  const name = nameOf(settings.text("name") ?? row.name);
  const path = join(folder, `${name}.yml`);
  if (existsSync(path) && !settings.isOn("yes"))
    throw new UsageError(`${path} exists; choose another --name, or replace it with --yes`);
  await mkdir(folder, { recursive: true });
  const placed = await placeInputs(inputs, { folder, name, catalog, io: settings.io });
  const origin = `From run ${row.runId} of ${new Date(row.createdMs).toISOString().slice(0, 10)}`;
  await writeFile(path, writeToolTest({ origin, inputs: placed, outputs }));
  settings.io.stdout.write(`${path}\n`);
  return EXIT.success;
}

function recordedRun(settings: Settings, catalog: string): RecordedRun {
  const runId = settings.text("from-run") ?? "";
  if (!runIdSchema.safeParse(runId).success) throw new UsageError(`--from-run: ${runId} is not a run ID`);
  const state = settings.knownState();
  const run = readRecordedRun(state, runId, { ...readDataFolders(settings), catalog });
  if (run === undefined) throw new UsageError(`${state} has no run ${runId}`);
  return run;
}

async function testsFolder(catalog: string, { kind, processId, processVersion }: RecordedRun["row"]): Promise<string> {
  const places = await scanCatalog(catalog, () => {});
  const place = places.find((one) => one.kind === kind && one.id === processId && one.version === processVersion);
  if (place !== undefined) return join(place.folder, "tests");
  const version = processVersion === null ? "" : ` ${processVersion}`;
  throw new UsageError(`${catalog} has no ${kind} ${processId}${version}; set --catalog`);
}

function nameOf(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|-+$/g, "")
    .slice(0, 64);
  return name === "" ? "from-run" : name;
}

interface TestPlace {
  readonly folder: string;
  readonly name: string;
  readonly catalog: string;
  readonly io: CommandIo;
}

/** Refers to files of the catalog, and copies small other files into a folder next to the test. */
async function placeInputs(inputs: CwlObject, place: TestPlace): Promise<CwlObject> {
  const copies = new Map<string, string>();
  const placed = mapObjectFiles(inputs, (file) => placeFile(file, place, copies));
  for (const [from, to] of copies) await copyIfSmall(from, to, place.io);
  return mapObjectFiles(placed, (file) => withExistingLocation(file, place.folder, copies));
}

function placeFile(file: FileOrDirectory, { folder, name, catalog }: TestPlace, copies: Map<string, string>) {
  const { location } = file;
  if (location?.startsWith("file:") !== true) return plain(file, location);
  const path = fileURLToPath(location);
  if (isBelow(path, catalog)) return plain(file, relative(folder, path));
  if (file.class === "Directory") return plain(file, location);
  const to = freeName(join(folder, name, basename(path)), new Set(copies.values()));
  copies.set(path, copies.get(path) ?? to);
  return plain(file, location);
}

/** Two inputs may have files with the same name. */
function freeName(path: string, taken: ReadonlySet<string>): string {
  let free = path;
  for (let n = 2; taken.has(free); n++) free = join(dirname(path), String(n), basename(path));
  return free;
}

/** The fields that a person would write: the rest follows from the file. */
const DERIVED = new Set(["checksum", "size", "nameroot", "nameext"]);

function plain(file: FileOrDirectory, location: string | undefined): FileOrDirectory {
  const fields = Object.entries(file).filter(([name]) => !DERIVED.has(name));
  const rest = Object.fromEntries(fields) as unknown as FileOrDirectory; // without optional fields
  return location === undefined ? rest : { ...rest, location: encoded(location) };
}

function encoded(location: string): string {
  const encode = (part: string) => (/^[\w.%:+@=,~-]*$/.test(part) ? part : encodeURIComponent(part));
  return location.split("/").map(encode).join("/");
}

async function copyIfSmall(from: string, to: string, io: CommandIo): Promise<void> {
  const found = await stat(from).catch(() => undefined);
  if (found === undefined) writeLine(io, `weft: warning: ${from} is missing; change the test by hand`);
  else if (found.size > MAX_COPIED_BYTES)
    writeLine(io, `weft: warning: ${from} is larger than 1 MiB, so the test refers to it where it is`);
  else {
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to);
  }
}

function withExistingLocation(
  file: FileOrDirectory,
  folder: string,
  copies: ReadonlyMap<string, string>,
): FileOrDirectory {
  const path = file.location?.startsWith("file:") === true ? fileURLToPath(file.location) : undefined;
  const copy = path === undefined ? undefined : copies.get(path);
  if (copy === undefined || !existsSync(copy)) return file;
  return { ...file, location: encoded(relative(folder, copy)) };
}
