import { existsSync } from "node:fs";
import { join } from "node:path";
import { ANY_HOST } from "@weft/engine/files/remote/http-policy.ts";
import type { Tolerance, Reproduce } from "@weft/shared/records/comparison-record.ts";
import { runIdSchema } from "@weft/shared/records/primitives.ts";
import type { Judged } from "./await-verdict.ts";
import { downloadSettings } from "../settings/download-settings.ts";
import { abortOnSignals, writeLine } from "../io/command-io.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { executionSettings } from "../settings/execution-settings.ts";
import { createLog } from "../output/log-line.ts";
import type { Settings } from "../settings/read-settings.ts";
import { refusedByState } from "../server/refused-by-state.ts";
import { reproduceCrate } from "./reproduce-crate.ts";
import { UsageError } from "../exit/usage-error.ts";
import { verdictText } from "../output/verdict-text.ts";
import { VERSION } from "../settings/version.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { askServer } from "../server/ask-server.ts";
import { awaitVerdict } from "./await-verdict.ts";

/**
 * Runs a recorded run or a crate again and compares the outputs. Exits with 0 if every output is identical or within
 * the tolerance, with 1 if one is not or the new run failed, and with 3 if nothing could be run.
 */
export async function reproduceCommand(settings: Settings): Promise<number> {
  const [what = ""] = settings.positionals;
  const tolerance = { relative: decimal(settings, "relative", 1), absolute: decimal(settings, "absolute", Infinity) };
  const request = { tolerance, settings, tell: teller(settings) };
  try {
    const judged = existsSync(settings.resolve(what))
      ? await crate(settings.resolve(what), request)
      : await run(what, request);
    return judged === undefined ? EXIT.interrupted : report(judged, settings);
  } catch (error) {
    return refusedByState(error, settings.io, EXIT.notTried);
  }
}

interface ReproduceRequest {
  readonly tolerance: Tolerance;
  readonly settings: Settings;
  readonly tell: (line: string) => void;
}

/** `of`: the id of the reproduced run, as on the server or machine that made it. */
interface Reproduced extends Judged {
  readonly of: string;
  /** True if the new run is kept so that the user can inspect it. */
  readonly isKept: boolean;
}

async function run(runId: string, { tolerance, settings, tell }: ReproduceRequest): Promise<Reproduced> {
  if (!runIdSchema.safeParse(runId).success) throw new UsageError(`${runId} is neither a crate nor a run ID`);
  if (settings.text("outdir") !== undefined)
    throw new UsageError("--outdir requires a crate; the server keeps the outputs of the new run");
  const stateFolder = settings.stateFolder();
  if (!existsSync(join(stateFolder, "weft.db")))
    throw new UsageError(`${stateFolder} is not a state folder of Weft; set --state`);
  const onStarted = (id: string) => tell(`started run ${id}; it continues if you stop waiting`);
  return { ...(await reproduceByServer(stateFolder, { runId, tolerance, onStarted })), of: runId, isKept: true };
}

async function crate(path: string, { tolerance, settings, tell }: ReproduceRequest): Promise<Reproduced | undefined> {
  const crateRequest = {
    crate: path,
    tolerance,
    outdir: settings.path("outdir"),
    tell,
    signal: abortOnSignals(settings.io),
  };
  const judged = await reproduceCrate(crateRequest, await engineSettings(settings));
  return judged === undefined ? undefined : { ...judged, of: judged.madeAs, isKept: false };
}

async function engineSettings(settings: Settings) {
  const log = createLog(settings.io.stderr);
  return {
    version: VERSION,
    ...(await executionSettings(settings, "none")),
    downloadSettings: downloadSettings(settings, ANY_HOST),
    log: (level, message, fields) => {
      if (level !== "info") log(level, message, fields);
    },
  } satisfies Parameters<typeof reproduceCrate>[1];
}

function teller(settings: Settings): (line: string) => void {
  return settings.isOn("quiet") ? () => {} : (line) => writeLine(settings.io, `weft: ${line}`);
}

/** The value of one of the two tolerances; 0 if the flag is absent. */
function decimal(settings: Settings, flag: "relative" | "absolute", most: number): number {
  const text = settings.text(flag) ?? "0";
  const value = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (value >= 0 && value <= most) return value;
  throw new UsageError(`--${flag} must be a number ${most === 1 ? "from 0 to 1" : "of at least 0"}, not "${text}"`);
}

function report({ run: made, verdict, of, isKept }: Reproduced, settings: Settings): number {
  const { run_id, state, state_reason } = made;
  const report = { of, ...(isKept ? { run_id } : {}), state, state_reason, verdict };
  settings.io.stdout.write(settings.isOn("json") ? `${JSON.stringify(report, null, 2)}\n` : verdictText(verdict, made));
  return verdict.result === "different" || state !== "COMPLETE" ? EXIT.failure : EXIT.success;
}

interface RunToReproduce {
  readonly runId: string;
  readonly tolerance: Tolerance;
  /** Called with the id of the new run as soon as it is durable. */
  readonly onStarted: (runId: string) => void;
}

const WAIT_S = 5;
const PAUSE_MS = 500;

/** Lets the server that uses a state folder reproduce a run, and waits for the verdict. Rejects with ServerRefused. */
function reproduceByServer(
  stateFolder: string,
  { runId: original, tolerance, onStarted }: RunToReproduce,
): Promise<Judged> {
  return askServer(stateFolder, async ({ client, headers }) => {
    const body: Reproduce = { tolerance };
    const started = await client("POST /api/runs/{run_id}/reproduce", { params: { run_id: original }, body, headers });
    onStarted(started.run_id);
    const params = { run_id: started.run_id };
    const waiting = { ...headers, prefer: `wait=${WAIT_S}` };
    return awaitVerdict({
      read: () => client("GET /api/runs/{run_id}", { params, headers }),
      changed: async ({ state }) => {
        if (isFinal(state)) await sleep(PAUSE_MS);
        else await client("GET /api/runs/{run_id}/status", { params, headers: waiting });
      },
      compare: () =>
        client("GET /api/runs/{run_id}/comparison", {
          params: { run_id: original },
          query: { with: started.run_id, relative: tolerance.relative, absolute: tolerance.absolute },
          headers,
        }),
    });
  });
}
