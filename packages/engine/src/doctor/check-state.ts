import { countText } from "@weft/shared/text/count-text.ts";
import { existsSync, readFileSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inOwnThread } from "../async/own-thread.ts";
import { storageProblemOf } from "../journal/storage/storage-problem.ts";
import { LOG_VERSION } from "../journal/schema.ts";
import { existingFolder } from "./check-disk.ts";
import { failed, ok, warning, type Finding, type Machine } from "./machine.ts";
import type { StateFacts, StateFactsAnswer } from "./state-facts-worker.ts";

export type StateReading =
  | { readonly kind: "finding"; readonly finding: Finding }
  | { readonly kind: "facts"; readonly facts: StateFacts };

const HEAP_MB = 512;

type StateOptions = Pick<Machine, "stateFolder" | "servedAt" | "isServer">;

/** The facts about a state folder, or why they cannot be read. */
export async function readState({ stateFolder }: StateOptions): Promise<StateReading> {
  const refusal = await refuseFolder(stateFolder);
  if (refusal !== undefined) return { kind: "finding", finding: refusal };
  const database = join(stateFolder, "weft.db");
  if (!existsSync(database)) return { kind: "finding", finding: ok(`${stateFolder} has no runs yet`) };
  const answer = await readFacts(database);
  if (!("unreadable" in answer)) return { kind: "facts", facts: answer };
  const restore = `weft restore --state ${stateFolder}-restored BACKUP`;
  return { kind: "finding", finding: failed(`${database} cannot be read: ${answer.unreadable}`, restore) };
}

export async function checkState(options: StateOptions, reading: StateReading): Promise<Finding> {
  if (reading.kind === "finding") return reading.finding;
  const { stateFolder } = options;
  const { facts } = reading;
  const { logVersion, events, isWhole } = facts;
  const refusal = judgeState(facts, stateFolder);
  if (refusal !== undefined) return refusal;
  const checked = isWhole ? "intact" : "the newest events are intact (weft verify checks all)";
  return ok(`${stateFolder}, version ${logVersion}, ${countText(events, "event")}, ${checked}${usedBy(options)}`);
}

/** Judges a state folder; undefined if this Weft can use it without changes. */
export function judgeState(
  { logVersion, isFolded, program, damage }: Pick<StateFacts, "logVersion" | "isFolded" | "program" | "damage">,
  stateFolder: string,
): Finding | undefined {
  if (damage !== undefined)
    return failed(`${join(stateFolder, "weft.db")}: ${damage}`, `weft restore --state ${stateFolder}-restored BACKUP`);
  if (logVersion > LOG_VERSION) {
    const last = program === undefined ? "" : `; the last server here was Weft ${program}`;
    return failed(
      `${stateFolder} was written by a newer version of Weft (log version ${logVersion}; this version supports ${LOG_VERSION}${last})`,
      "weft serve --state ANOTHER-FOLDER",
    );
  }
  if (!isFolded)
    return warning(
      `another version of Weft made the tables of ${stateFolder}; the next start rebuilds them from the log`,
      `weft rebuild --state ${stateFolder}`,
    );
  return undefined;
}

/** Problems for which `openStateFolder` would refuse the folder, with commands. */
async function refuseFolder(folder: string): Promise<Finding | undefined> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error)
    return found.code === "ENOENT"
      ? newFolder(folder)
      : failed(`${folder} cannot be read (${found.code})`, `sudo ls -ld ${folder}`);
  if (!found.isDirectory()) return failed(`${folder} is not a folder`, "weft serve --state ANOTHER-FOLDER");
  const uid = process.getuid?.();
  if (uid !== undefined && found.uid !== uid)
    return failed(
      `${folder} belongs to another account (${nameOf(found.uid)}; this is ${nameOf(uid)})`,
      `sudo -u '${nameOf(found.uid)}' weft serve --state ${folder}`,
    );
  if ((found.mode & 0o022) !== 0)
    return failed(`other accounts may write to ${folder}, so they could run commands as you`, `chmod go-w ${folder}`);
  return undefined;
}

async function newFolder(folder: string): Promise<Finding> {
  const parent = await existingFolder(folder);
  try {
    await access(parent, constants.W_OK | constants.X_OK);
    return ok(`${folder} does not exist yet; weft serve creates it`);
  } catch {
    return failed(
      `${folder} cannot be created, because ${parent} is not writable`,
      "weft serve --state ANOTHER-FOLDER",
    );
  }
}

/** The account in the syntax of sudo: a name, or `#` and a number. */
function nameOf(uid: number): string {
  const accounts = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8").split("\n") : [];
  return accounts.map((line) => line.split(":")).find((fields) => fields[2] === String(uid))?.[0] ?? `#${uid}`;
}

function readFacts(database: string): Promise<StateFactsAnswer> {
  return inOwnThread<StateFactsAnswer>({
    script: new URL("./state-facts-worker.ts", import.meta.url),
    input: database,
    heapMb: HEAP_MB,
    tooCostly: (why) => new Error(`the database cannot be read: ${why}`),
  });
}

function usedBy({ stateFolder, servedAt, isServer }: StateOptions): string {
  if (isServer || !isLocked(join(stateFolder, "lock.db"))) return "";
  return `; used by the server at ${servedAt ?? "an unknown address"}`;
}

/** True if a server has locked the file with an open transaction. */
function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  using db = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    db.prepare("SELECT count(*) FROM sqlite_master").get();
    return false;
  } catch (error) {
    if (storageProblemOf(error, () => undefined) === "locked") return true;
    throw error;
  }
}
