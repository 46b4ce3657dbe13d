import { fileURLToPath } from "node:url";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Reach } from "../../files/beneath/reach.ts";
import { runLater } from "../../files/beneath/steps.ts";
import { hashOpenFile } from "../../files/hash-file.ts";
import { filesOf } from "../../values/map-files.ts";
import { placeOf } from "../../values/record-values.ts";
import { isHttp, isRemote, redactUrl } from "../../files/remote/remote-url.ts";
import type { RecordedFile } from "@weft/shared/events/event-parts.ts";
import type { JobServices } from "../../jobs/job-services.ts";

export interface StartedRun {
  readonly runId: string;
  readonly bound: CwlObject;
  /** Reads remote files from their downloaded copies. */
  readonly files: FileAccess;
}

/**
 * Records the checksums of a run's input files while it runs: a run never waits for its provenance. Never rejects; resolves
 * when the checksums are recorded or could not be computed.
 */
export function recordInputsInBackground(run: StartedRun, services: JobServices): Promise<void> {
  return recordInputs(run, services).catch((error: unknown) =>
    services.log("warn", "the inputs of a run could not be hashed", { run_id: run.runId, error: String(error) }),
  );
}

async function recordInputs({ runId, bound, files }: StartedRun, services: JobServices): Promise<void> {
  const { reach } = services.access.ofRun(runId, bound);
  const recorded: RecordedFile[] = [];
  for (const { port, place, file } of filesOf(bound)) {
    const { location, basename = "" } = file;
    const isKept = location !== undefined && (!isRemote(location) || isHttp(location));
    if (!isKept) continue;
    const uri = services.uris.toPortable(redactUrl(location));
    const facts = file.class === "File" ? await factsOf(location, files, reach) : FOLDER;
    recorded.push({ port, ...placeOf(place), name: basename, uri, ...facts });
  }
  if (recorded.length > 0)
    await services.journal.append([{ type: "run.inputs", run_id: runId, actor: "engine", data: { files: recorded } }]);
}

const FOLDER = { class: "Directory", checksum: null, size: null } as const;

async function factsOf(
  location: string,
  files: FileAccess,
  reach: Reach,
): Promise<Pick<RecordedFile, "checksum" | "sha256" | "size">> {
  const local = isHttp(location) ? await files.realUri(location) : location;
  if (local === undefined) return { checksum: await files.checksum(location), size: null };
  const path = fileURLToPath(local);
  using file = await runLater(reach.openFile(path));
  const { sha1, sha256, sizeBytes } = await hashOpenFile(file, path);
  return { checksum: sha1, sha256, size: sizeBytes };
}
