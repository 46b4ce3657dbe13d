import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { RunProgram } from "../executor/run-program.ts";
import { bubblewrapArgv } from "./bubblewrap-argv.ts";
import type { SandboxProgram } from "./bubblewrap-argv.ts";
import type { SandboxPlaces } from "./sandbox-places.ts";
import { sandboxView } from "./sandbox-view.ts";

export type SandboxProbe =
  | { readonly program: SandboxProgram; readonly version: string }
  /** Goes on from "bubblewrap …". */
  | { readonly program: undefined; readonly why: string };

export interface ProbeOptions {
  readonly run: RunProgram;
  readonly places: SandboxPlaces;
  /** Folders of programs, as in PATH. */
  readonly path: string;
  readonly isRoot: boolean;
}

const PATIENCE_MS = 10_000;
/** Any code that nothing else ends with. */
const FINE = 17;
/** Its own folder can be written, nothing else can, and the state folder shows nothing but what is the job's. */
const TRIAL = `: >"$1/made" || exit 1
(: >"$3/.weft-sandbox-probe") 2>/dev/null && exit 2
[ "$(ls -A "$2")" = "\${1##*/}" ] || exit 3
exit ${FINE}`;

/**
 * Whether jobs can be closed in here: a program really is, as jobs will be. That `bwrap` is installed says little: kernels,
 * security modules and containers refuse what it needs, each in its own way.
 */
export async function probeBubblewrap({ run, places, path, isRoot }: ProbeOptions): Promise<SandboxProbe> {
  if (process.platform !== "linux") return { program: undefined, why: "needs Linux" };
  const found = findProgram("bwrap", path);
  if (found === undefined) return { program: undefined, why: "is not installed (no program bwrap)" };
  const program = { path: found, isRoot };
  const said = await run(found, ["--version"], { timeoutMs: PATIENCE_MS });
  const trial = await tryIn(program, places, run);
  if (trial !== undefined) return { program: undefined, why: trial };
  return { program, version: /\d[\w.]*/.exec(said.stdout)?.[0] ?? "of unknown version" };
}

async function tryIn(program: SandboxProgram, places: SandboxPlaces, run: RunProgram): Promise<string | undefined> {
  const root = places.runsFolder;
  const folder = mkdtempSync(join(root, ".sandbox-probe-"));
  try {
    const tmpdir = join(folder, "tmp");
    mkdirSync(tmpdir);
    const view = await sandboxView(
      {
        ...{ outdir: folder, tmpdir, runFolder: folder, staging: [] },
        ...{ inplaceUpdate: false, networkAccess: false, streams: {}, realPath: async (path) => path },
      },
      places,
    );
    const [first = "", ...rest] = bubblewrapArgv(program, view);
    const words = [...rest, "/bin/sh", "-c", TRIAL, "probe", folder, root, "/etc"];
    const { code, stderr } = await run(first, words, { timeoutMs: PATIENCE_MS });
    if (code === FINE) return undefined;
    const said = stderr.trim().split("\n")[0] ?? "";
    return `does not work here: ${said === "" ? `a trial ended with ${code ?? "a signal"}` : said}`;
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

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
