import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Launch } from "../executor/executor.ts";
import type { RunProgram } from "../executor/run-program.ts";
import { mayRun } from "../executor/perl-supervisor.ts";
import { readExit } from "../executor/job-record.ts";
import { launchFields, writeLaunch } from "../executor/launch-script.ts";
import { bubblewrapArgv, viewOptions } from "./bubblewrap-argv.ts";
import type { SandboxProgram, SandboxView } from "./bubblewrap-argv.ts";
import type { SandboxPlaces } from "./sandbox-places.ts";
import { sandboxSupervisor } from "./sandbox-supervisor.ts";
import { sandboxView } from "./sandbox-view.ts";

export type SandboxProbe =
  | {
      readonly program: SandboxProgram;
      readonly version: string;
      /** The command line of the supervisor that starts sandboxed jobs; undefined: see `whyNone`. */
      readonly supervisor: readonly string[] | undefined;
      readonly whyNone: string | undefined;
    }
  /** Continues a sentence that begins with "bubblewrap …". */
  | { readonly program: undefined; readonly why: string };

export interface ProbeOptions {
  readonly run: RunProgram;
  readonly places: SandboxPlaces;
  /** Folders of programs, as in PATH. */
  readonly path: string;
  readonly isRoot: boolean;
}

const PATIENCE_MS = 10_000;
/** Any code that nothing else uses. */
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
export async function probeBubblewrap({ run, places, path, isRoot }: ProbeOptions): Promise<SandboxProbe> {
  if (process.platform !== "linux") return { program: undefined, why: "needs Linux" };
  const found = findProgram("bwrap", path);
  if (found === undefined) return { program: undefined, why: "is not installed (no program bwrap)" };
  const program = { path: found, isRoot };
  const said = await run(found, ["--version"], { timeoutMs: PATIENCE_MS });
  const trial = await tryIn(program, places, run);
  if (trial !== undefined) return { program: undefined, why: trial };
  const version = /\d[\w.]*/.exec(said.stdout)?.[0] ?? "of unknown version";
  return { program, version, ...(await findSupervisor(program, { run, places, path })) };
}

async function findSupervisor(bubblewrap: SandboxProgram, { run, places, path }: Omit<ProbeOptions, "isRoot">) {
  const without = (whyNone: string) => ({ supervisor: undefined, whyNone });
  const perl = findProgram("perl", path);
  if (perl === undefined) return without("Perl is not installed");
  const supervisor = sandboxSupervisor({ bubblewrap, perl, devices: places.devices });
  if (supervisor === undefined) return without(`the system calls of ${process.arch} are unknown`);
  const why = await inTrialFolder(places, async (trial) => {
    const { folder, view, argv } = trial;
    const [program = "", ...args] = supervisor;
    const streams = { stdin: "/dev/null", stdout: join(folder, "stdout"), stderr: join(folder, "stderr") };
    const launch: Launch = {
      ...{ runId: "probe", jobId: "probe", attempt: 1, backend: "local", folder, workdir: view.workdir, argv },
      ...{ env: { PATH: path }, size: { cores: 1, ramMib: undefined, seconds: undefined }, ...streams },
      box: { supervisor, key: "probe", view: viewOptions(view), streams: {} },
    };
    const refused = writeLaunch(launch, launchFields);
    if (refused !== undefined) return "the files of a trial could not be written";
    const { stderr } = await run(program, args, {
      input: new TextEncoder().encode(`1 1 probe ${folder}\n`),
      timeoutMs: PATIENCE_MS,
    });
    const code = readExit(folder)?.exitCode;
    if (code === FINE) return undefined;
    const said = existsSync(streams.stderr) ? readFileSync(streams.stderr, "utf8") : "";
    return `a trial ended with ${code ?? "no exit code"}: ${`${stderr}${said}`.trim().split("\n")[0]}`;
  });
  return why === undefined ? { supervisor, whyNone: undefined } : without(why);
}

async function tryIn(program: SandboxProgram, places: SandboxPlaces, run: RunProgram): Promise<string | undefined> {
  return inTrialFolder(places, async ({ view, argv }) => {
    const [first = "", ...words] = [...bubblewrapArgv(program, view), ...argv];
    const { code, stderr } = await run(first, words, { timeoutMs: PATIENCE_MS });
    if (code === FINE) return undefined;
    const said = stderr.trim().split("\n")[0] ?? "";
    return `does not work here: ${said === "" ? `a trial ended with ${code ?? "a signal"}` : said}`;
  });
}

interface Trial {
  readonly folder: string;
  readonly view: SandboxView;
  readonly argv: readonly string[];
}

async function inTrialFolder<T>(places: SandboxPlaces, act: (trial: Trial) => Promise<T>): Promise<T> {
  const root = places.runsFolder;
  const folder = mkdtempSync(join(root, ".sandbox-probe-"));
  try {
    const [outdir, tmpdir] = [join(folder, "out"), join(folder, "tmp")];
    for (const path of [outdir, tmpdir]) mkdirSync(path);
    const view = await sandboxView(
      {
        ...{ outdir, tmpdir, runFolder: folder, staging: [] },
        ...{ inplaceUpdate: false, networkAccess: false, streams: {}, realPath: async (path) => path },
      },
      places,
    );
    return await act({ folder, view, argv: ["/bin/sh", "-c", TRIAL, "probe", outdir, folder, root, "/etc"] });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => join(folder, name))
    .find(mayRun);
}
