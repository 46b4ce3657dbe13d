import { createReadStream, existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openEngine } from "@weft/engine/app/open-engine.ts";
import { removeScratch } from "@weft/engine/files/remove-scratch.ts";
import type { Caller } from "@weft/engine/port/caller.ts";
import type { CrateToImport, Engine } from "@weft/engine/port/engine.ts";
import { createLinks } from "@weft/shared/links.ts";
import type { Tolerance, Verdict } from "@weft/shared/records/comparison-record.ts";
import { runIdSchema } from "@weft/shared/records/primitives.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import { abortOnSignals, writeLine } from "../io/command-io.ts";
import { createLog } from "../output/log-line.ts";
import { jsonText } from "../output/result-text.ts";
import { verdictText } from "../output/verdict-text.ts";
import { serverClient, ServerRefused } from "../server/server-client.ts";
import { checkWritable } from "../settings/data-folders.ts";
import { executionSettings } from "../settings/execution-settings.ts";
import type { Settings } from "../settings/read-settings.ts";

interface Request {
  readonly tolerance: Tolerance;
  readonly settings: Settings;
  /** Prints progress. */
  readonly tell: (line: string) => void;
}

/** A finished run that reproduces another, and the result of the comparison. */
interface Reproduced {
  /** ID of the reproduced run, as on the server or machine that made it. */
  readonly of: string;
  readonly run: Run;
  readonly verdict: Verdict;
  /** True if the new run is kept so that the user can inspect it. */
  readonly isKept: boolean;
}

/**
 * Runs a recorded run or a crate again and compares the outputs. Exits with 0 if every output is identical or within
 * the tolerance, with 1 if one is not or the new run failed, and with 3 if nothing could be run.
 */
export async function reproduceCommand(settings: Settings): Promise<number> {
  const [what = ""] = settings.positionals;
  const tolerance = { relative: decimal(settings, "relative", 1), absolute: decimal(settings, "absolute", Infinity) };
  const tell = (line: string) => settings.isOn("quiet") || writeLine(settings.io, `weft: ${line}`);
  const request = { tolerance, settings, tell };
  const path = settings.resolve(what);
  try {
    const reproduced = existsSync(path) ? await reproduceCrate(path, request) : await reproduceRun(what, request);
    return reproduced === undefined ? EXIT.interrupted : report(reproduced, settings);
  } catch (error) {
    if (!(error instanceof ServerRefused) && !(error instanceof Refusal)) throw error;
    writeLine(settings.io, `weft: ${error.message}`);
    return EXIT.notTried;
  }
}

/** The value of one of the two tolerances; 0 if the flag is absent. */
function decimal(settings: Settings, flag: "relative" | "absolute", most: number): number {
  const text = settings.text(flag) ?? "0";
  const value = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (value >= 0 && value <= most) return value;
  throw new UsageError(`--${flag} must be a number ${most === 1 ? "from 0 to 1" : "of at least 0"}, not "${text}"`);
}

function report({ run, verdict, of, isKept }: Reproduced, settings: Settings): number {
  const { run_id, state, state_reason } = run;
  const record = { of, ...(isKept ? { run_id } : {}), state, state_reason, verdict };
  settings.io.stdout.write(settings.isOn("json") ? jsonText(record) : verdictText(verdict, run));
  return verdict.result === "different" || state !== "COMPLETE" ? EXIT.failure : EXIT.success;
}

/** Follows the new run, in an engine of this process or on a server. */
interface RunWatch {
  read(): Promise<Run>;
  /** Resolves when the run may have changed since it was read. */
  changed(run: Run): Promise<unknown>;
  /** Compares now; rejects with the reason why that cannot be done. */
  compare(): Promise<Verdict>;
}

/** The number of times that a finished run is polled for its verdict before this command compares the outputs itself. */
const MAX_POLLS = 60;
const POLL_MS = 500;

/** Waits for the verdict of a run, which follows shortly after the end, when the checksums of the inputs are recorded. */
async function awaitVerdict(watch: RunWatch): Promise<Pick<Reproduced, "run" | "verdict">> {
  let polls = 0;
  for (;;) {
    const run = await watch.read();
    const verdict = run.reproduction?.verdict;
    if (verdict != null) return { run, verdict };
    if (isFinal(run.state) && ++polls > MAX_POLLS) return { run, verdict: await watch.compare() };
    await watch.changed(run);
  }
}

const WAIT_S = 5;

/** Lets the server that uses a state folder reproduce a run. */
async function reproduceRun(original: string, { tolerance, settings, tell }: Request): Promise<Reproduced> {
  if (!runIdSchema.safeParse(original).success) throw new UsageError(`${original} is neither a crate nor a run ID`);
  if (settings.text("outdir") !== undefined)
    throw new UsageError("--outdir requires a crate; the server keeps the outputs of the new run");
  const { client } = serverClient(settings.knownState());
  const started = await client("POST /api/runs/{run_id}/reproduce", {
    params: { run_id: original },
    body: { tolerance },
  });
  tell(`started run ${started.run_id}; it continues if you stop waiting`);
  const params = { run_id: started.run_id };
  const judged = await awaitVerdict({
    read: () => client("GET /api/runs/{run_id}", { params }),
    changed: ({ state }) =>
      isFinal(state)
        ? sleep(POLL_MS)
        : client("GET /api/runs/{run_id}/status", { params, headers: { prefer: `wait=${WAIT_S}` } }),
    compare: () =>
      client("GET /api/runs/{run_id}/comparison", {
        params: { run_id: original },
        query: { with: started.run_id, ...tolerance },
      }),
  });
  return { ...judged, of: original, isKept: true };
}

/**
 * Checks a crate, and runs it again on this machine in a temporary state folder. Refuses a changed crate with
 * `invalid-crate`. Undefined if it was stopped.
 */
async function reproduceCrate(crate: string, request: Request): Promise<Reproduced | undefined> {
  const scratch = await mkdtemp(join(tmpdir(), "weft-reproduce-"));
  try {
    return await reproduceIn(scratch, crate, request);
  } finally {
    await removeScratch(scratch, request.tell);
  }
}

async function reproduceIn(scratch: string, crate: string, request: Request): Promise<Reproduced | undefined> {
  const { settings } = request;
  const outdir = settings.path("outdir");
  await checkWritable("outdir", outdir);
  const catalogFolder = join(scratch, "catalog");
  await mkdir(catalogFolder);
  const log = createLog(settings.io.stderr);
  const engine = await openEngine({
    ...(await executionSettings(settings, "none")),
    log: (level, ...message) => level !== "info" && log(level, ...message),
    stateFolder: join(scratch, "state"),
    catalogFolder,
    dataFolders: {},
    // A user who can start this can fill the disk anyway.
    maxUploadBytes: Number.MAX_SAFE_INTEGER,
  });
  try {
    const reproduced = await judge(engine, crate, request);
    if (reproduced !== undefined && outdir !== undefined)
      await keepOutputs(join(scratch, "state/runs", reproduced.run.run_id, "outputs"), outdir);
    return reproduced;
  } finally {
    await engine.stop("cancel");
  }
}

/** The links of this caller lead nowhere, because there is no server. */
const CALLER: Caller = { principal: "local", links: createLinks("weft:"), othersRuns: "changeable" };
const ABORT_MS = 5000;
const NEVER = new AbortController().signal;

async function judge(engine: Engine, crate: string, { tolerance, settings, tell }: Request) {
  const signal = abortOnSignals(settings.io);
  tell("checking the crate");
  const { run_id: original, imported } = await engine.provenance.importCrate(CALLER, await sourceOf(crate));
  if (signal.aborted) return undefined;
  const started = await engine.runs.reproduce(CALLER, original, { tolerance });
  tell("running it again");
  const judged = await awaitVerdict({
    read: async () => engine.runs.get(CALLER, started.run_id),
    changed: async ({ run_id: runId, revision, state }) => {
      const wait = { revision, timeoutMs: POLL_MS, signal: isFinal(state) ? NEVER : signal };
      await engine.runs.waitForChange(CALLER, runId, wait);
      if (signal.aborted && !isFinal(state)) await engine.runs.abort(CALLER, runId, ABORT_MS);
    },
    compare: () => engine.provenance.compare(CALLER, [original, started.run_id], tolerance),
  });
  return signal.aborted ? undefined : { ...judged, of: imported?.made_as ?? original, isKept: false };
}

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
