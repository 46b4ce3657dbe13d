import { hash } from "node:crypto";
import { ForeignFiles } from "../../backends/foreign-files.ts";
import { TAKEN_NAME } from "../plan.ts";
import { RESULTS_FOLDER } from "../server.ts";
import { Violation } from "../violation.ts";
import type { World } from "../world.ts";

const FOREIGN = "somebody else wrote this\n";

/** A user has a file where a run copies its output. */
export function occupyNames({ machine, plan }: Pick<World, "machine" | "plan">): void {
  const files = new ForeignFiles(machine);
  for (const { key, sink } of plan.runs) {
    if (sink?.endsWith(TAKEN_NAME) !== true) continue;
    files.folder(`${RESULTS_FOLDER}/${key}`);
    files.write(takenPath(key), FOREIGN);
  }
}

function takenPath(key: string): string {
  return `${RESULTS_FOLDER}/${key}/${TAKEN_NAME}`;
}

/** A copied file, as the log records it. */
interface CopiedFile {
  readonly uri: string;
  readonly checksum: string;
}

/** Copies are where the log says, whole, and replace nothing. */
export function checkCopies({ database, machine, plan, clients, log }: World): void {
  const files = new ForeignFiles(machine);
  for (const { key, sink } of plan.runs)
    if (sink?.endsWith(TAKEN_NAME) === true && files.text(takenPath(key)) !== FOREIGN)
      throw new Violation("copies replace nothing", takenPath(key));
  const select = database.database.prepare(
    "SELECT text FROM blobs JOIN runs ON runs.placed = blobs.digest WHERE runs.run_id = ?",
  );
  for (const { run, runId = "" } of clients) {
    if (run.sink === undefined) continue;
    const copies = JSON.parse(String(select.get(runId)?.["text"] ?? "[]")) as readonly CopiedFile[]; // as recorded
    if (log.stateOf(runId) === "COMPLETE" && copies.length === 0)
      throw new Violation("outputs are copied to their destination", `${runId} has no copy`);
    for (const { uri, checksum } of copies) checkCopy(files, uri, checksum);
  }
}

function checkCopy(files: ForeignFiles, uri: string, checksum: string): void {
  const text = files.text(uri.replace(/^vfs:\/\/results/, RESULTS_FOLDER));
  if (text === undefined || `sha1$${hash("sha1", text)}` !== checksum)
    throw new Violation("outputs are copied to their destination", `${uri} is ${JSON.stringify(text)}`);
}
