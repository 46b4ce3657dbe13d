import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import type { Launch } from "../executor/executor.ts";
import { readExit } from "../executor/job-record.ts";
import { writeLaunch } from "../executor/launch-file.ts";
import { launcherPath } from "../executor/launcher-path.ts";
import type { RunProgram } from "../executor/run-program.ts";
import { bubblewrapArgv, FILTER_DESCRIPTOR, type SandboxPrograms } from "./bubblewrap-argv.ts";
import type { SandboxPlaces } from "./sandbox-places.ts";
import { sandboxView } from "./sandbox-view.ts";
import { seccompFilter } from "./seccomp-filter.ts";

export interface WorkingSandbox {
  readonly programs: SandboxPrograms;
  readonly version: string;
}

export type SandboxProbe =
  | WorkingSandbox
  /** Continues a sentence that begins with "bubblewrap …". */
  | { readonly programs: undefined; readonly why: string };

export interface ProbeOptions {
  readonly run: RunProgram;
  readonly places: SandboxPlaces;
  /** Folders of programs, as in PATH. */
  readonly path: string;
}

const PATIENCE_MS = 10_000;
/** An exit code that no other program uses. */
const FINE = 17;
/** Only its own folder is writable, and the state folder shows nothing but the run. */
const TRIAL = `: >"$1/made" || exit 1
(: >"$2/made") 2>/dev/null && exit 2
(: >"$4/.weft-sandbox-probe") 2>/dev/null && exit 2
[ "$(ls -A "$3")" = "\${2##*/}" ] || exit 3
exit ${FINE}`;

/**
 * Whether sandboxes work here, tried with a real program exactly as for jobs. An installed `bwrap` says little:
 * kernels, security modules and containers refuse what it needs, each in its own way.
 */
export async function probeBubblewrap({ run, places, path }: ProbeOptions): Promise<SandboxProbe> {
  const launcher = launcherPath();
  const filter = seccompFilter(process.arch);
  if (launcher === undefined || filter === undefined)
    return { programs: undefined, why: "needs Linux on x86-64 or ARM64" };
  const bubblewrap = findProgram("bwrap", path);
  if (bubblewrap === undefined) return { programs: undefined, why: "is not installed (no program bwrap)" };
  writeFileSync(places.filter, filter);
  const isRoot = process.getuid?.() === 0;
  const programs = { bubblewrap, launcher, isRoot, listsKeys: existsSync("/proc/keys") };
  const result = await run(bubblewrap, ["--version"], { timeoutMs: PATIENCE_MS });
  const why = await tryIn(programs, { run, places, path });
  if (why !== undefined) return { programs: undefined, why: `does not work here: ${why}` };
  return { programs, version: /\d[\w.]*/.exec(result.stdout)?.[0] ?? "of unknown version" };
}

/** The reason why a program did not run in a sandbox, if any. */
async function tryIn(programs: SandboxPrograms, { run, places, path }: ProbeOptions): Promise<string | undefined> {
  const folder = mkdtempSync(join(places.runsFolder, ".sandbox-probe-"));
  try {
    const launch = await trialIn(folder, { programs, places, path });
    const refused = writeLaunch(launch);
    if (refused !== undefined) return refused.message;
    const { stderr } = await run(programs.launcher, [folder], { timeoutMs: PATIENCE_MS });
    const code = readExit(folder)?.exitCode;
    if (code === FINE) return undefined;
    const printed = existsSync(launch.stderr) ? readFileSync(launch.stderr, "utf8") : "";
    const [firstLine = ""] = `${stderr}${printed}`.trim().split("\n");
    return firstLine === "" ? `a trial ended with ${code ?? "no exit code"}` : firstLine;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface TrialOptions extends Pick<ProbeOptions, "places" | "path"> {
  readonly programs: SandboxPrograms;
}

async function trialIn(folder: string, { programs, places, path }: TrialOptions): Promise<Launch> {
  const [outdir, tmpdir] = [join(folder, "out"), join(folder, "tmp")];
  for (const made of [outdir, tmpdir]) mkdirSync(made);
  const job = { outdir, tmpdir, runFolder: folder, staging: [], inplaceUpdate: false, networkAccess: false };
  const view = await sandboxView({ ...job, realPath: async (found) => found }, places);
  return {
    ...{ runId: "probe", jobId: "probe", attempt: 1, backend: "local", folder, workdir: outdir },
    argv: ["/bin/sh", "-c", TRIAL, "probe", outdir, folder, places.runsFolder, "/etc"],
    ...{ env: { PATH: path }, size: { cores: 1, ramMib: undefined, seconds: undefined } },
    ...{ stdin: "/dev/null", stdout: join(folder, "stdout"), stderr: join(folder, "stderr") },
    sandbox: { argv: bubblewrapArgv(programs, view), open: { [FILTER_DESCRIPTOR]: places.filter }, streams: {} },
  };
}

function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => join(folder, name))
    .find(mayRun);
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
