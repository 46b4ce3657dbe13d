import { createReadStream } from "node:fs";
import { cp, mkdir, mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller } from "@weft/engine/port/caller.ts";
import type { Engine } from "@weft/engine/port/engine.ts";
import { openEngine } from "@weft/engine/app/open-engine.ts";
import type { EngineOptions } from "@weft/engine/app/engine-options.ts";
import { removeScratch } from "@weft/engine/files/remove-scratch.ts";
import type { CrateToImport } from "@weft/engine/port/engine.ts";
import { createLinks } from "@weft/shared/links.ts";
import type { Tolerance } from "@weft/shared/records/comparison-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { awaitVerdict } from "./await-verdict.ts";
import type { Judged } from "./await-verdict.ts";

export interface CrateToReproduce {
  /** Absolute path of a folder or zip. */
  readonly crate: string;
  readonly tolerance: Tolerance;
  /** Absolute path of a folder that gets the new outputs; undefined: they are deleted. */
  readonly outdir: string | undefined;
  /** Receives progress messages. */
  readonly tell: (line: string) => void;
  /** Aborted when nobody is waiting any more. */
  readonly signal: AbortSignal;
}

type Settings = Omit<EngineOptions, "stateFolder" | "catalogFolder" | "dataFolders" | "maxUploadBytes">;

/** The verdict, and the run's ID on the server where it was recorded. */
export interface CrateJudged extends Judged {
  readonly madeAs: string;
}

/** The links of this caller lead nowhere, because there is no server. */
const CALLER: Caller = { principal: "local", links: createLinks("weft:"), othersRuns: "changeable" };
const POLL_MS = 500;

/**
 * Checks a crate, runs it again on this machine and compares the outputs, in a temporary state folder.
 * Refuses a changed crate with `invalid-crate`. Undefined if it was stopped.
 */
export async function reproduceCrate(request: CrateToReproduce, settings: Settings): Promise<CrateJudged | undefined> {
  const scratch = await mkdtemp(join(tmpdir(), "weft-reproduce-"));
  try {
    return await reproduceIn(scratch, request, settings);
  } finally {
    await removeScratch(scratch, request.tell);
  }
}

async function reproduceIn(
  scratch: string,
  request: CrateToReproduce,
  settings: Settings,
): Promise<CrateJudged | undefined> {
  const catalogFolder = join(scratch, "catalog");
  await mkdir(catalogFolder);
  const engine = await openEngine({
    ...settings,
    stateFolder: join(scratch, "state"),
    catalogFolder,
    dataFolders: {},
    // A user who can start this can fill the disk anyway.
    maxUploadBytes: Number.MAX_SAFE_INTEGER,
  });
  try {
    const judged = await judge(engine, request);
    if (judged !== undefined && request.outdir !== undefined)
      await keepOutputs(join(scratch, "state/runs", judged.run.run_id, "outputs"), request.outdir);
    return judged;
  } finally {
    await engine.stop("cancel");
  }
}

async function judge(engine: Engine, { crate, tolerance, tell, signal }: CrateToReproduce) {
  tell("checking the crate");
  const { run_id: original, imported } = await engine.provenance.importCrate(CALLER, await sourceOf(crate));
  if (signal.aborted) return undefined;
  const started = await engine.runs.reproduce(CALLER, original, { tolerance });
  tell("running it again");
  const judged = await awaitVerdict({
    read: async () => engine.runs.get(CALLER, started.run_id),
    changed: async ({ run_id: runId, revision, state }) => {
      await engine.runs.waitForChange(CALLER, runId, {
        revision,
        timeoutMs: POLL_MS,
        signal: isFinal(state) ? NEVER : signal,
      });
      if (signal.aborted && !isFinal(state)) await engine.runs.abort(CALLER, runId, ABORT_MS);
    },
    compare: () => engine.provenance.compare(CALLER, [original, started.run_id], tolerance),
  });
  return signal.aborted ? undefined : { ...judged, madeAs: imported?.made_as ?? original };
}

const ABORT_MS = 5000;
const NEVER = new AbortController().signal;

async function sourceOf(crate: string): Promise<CrateToImport> {
  const isFolder = (await stat(crate)).isDirectory();
  return isFolder ? { kind: "folder", path: crate } : { kind: "zip", content: createReadStream(crate) };
}

/** A failed run may have no outputs. Links are copied unchanged: resolved ones would lead into the scratch folder. */
async function keepOutputs(from: string, outdir: string): Promise<void> {
  await mkdir(outdir, { recursive: true });
  await cp(from, outdir, { recursive: true, verbatimSymlinks: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}
