import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { recordFigures } from "./history.mjs";
import { isInstalled, median, startInstalled, weft } from "./measure.mjs";
import { measureTree, measureWhile } from "./process-tree.mjs";
import { scatterNetwork } from "./scatter-network.mjs";

const AT_ONCE = 2;
const WARM_UP_JOBS = 100;

/** How often to poll the server for the end of its run; the cost counts as the server's time. */
const ASK_EVERY_MS = 20;

/**
 * The programs that run jobs, fastest first. `missing` returns why the program cannot take part. `open` returns a function
 * that runs one `echo` per number in an empty folder and measures that, and another that closes the runner.
 */
const RUNNERS = {
  ninja: { title: `ninja -j${AT_ONCE}`, missing: () => lacks("ninja"), open: () => command(ninjaOf) },
  xargs: { title: `xargs -P${AT_ONCE}`, missing: () => lacks("xargs"), open: () => command(xargsOf) },
  cwltool: { title: "cwltool --parallel", missing: () => lacks("cwltool"), open: () => command(cwltoolOf) },
  weft: { title: "weft run", missing: () => undefined, open: () => command(weftOf) },
  "server-open": {
    title: "server, sandbox off",
    missing: () => undefined,
    open: (folder) => serverWith(folder, "none"),
  },
  server: { title: "server", missing: lacksSandbox, open: (folder) => serverWith(folder, "required") },
};

export const RUNNER_TITLES = Object.values(RUNNERS).map(({ title }) => title);

/** Runs trivial jobs, two at a time, with every installed program in turn. */
export async function benchJobs(folder, { rounds, jobs, only = Object.keys(RUNNERS), record }) {
  const unknown = only.filter((name) => !(name in RUNNERS));
  if (unknown.length > 0)
    throw new Error(`--only does not know ${unknown.join(", ")}; the names are ${Object.keys(RUNNERS).join(", ")}`);
  const runners = await openRunners(folder, only);
  if (record && runners[0]?.title !== RUNNERS.ninja.title)
    throw new Error("--record needs ninja, as the history holds ratios to it");
  const load = loadavg()[0].toFixed(1);
  try {
    await inTurns(runners, { folder, rounds, jobs });
  } finally {
    for (const runner of runners) await runner.close();
  }
  const figures = runners.map((runner) => figuresOf(runner, runners[0], jobs));
  print(figures, { rounds, jobs, load });
  if (record) recordFigures(figures, { rounds, jobs, load });
}

async function openRunners(folder, only) {
  const runners = [];
  for (const [name, { title, missing, open }] of Object.entries(RUNNERS)) {
    if (!only.includes(name)) continue;
    const reason = missing();
    if (reason !== undefined) console.log(`${title} does not take part: ${reason}`);
    else runners.push({ title, rounds: [], ...(await open(join(folder, name))) });
  }
  return runners;
}

/** Runs A B C … A B C …; the first turn is shorter and warms caches. No number occurs twice, because equal jobs share results. */
async function inTurns(runners, { folder, rounds, jobs }) {
  for (let round = 0; round <= rounds; round++) {
    const count = round === 0 ? Math.min(WARM_UP_JOBS, jobs) : jobs;
    const numbers = Array.from({ length: count }, (_, index) => round * jobs + index);
    for (const [index, runner] of runners.entries()) {
      // The folder stays until the end: for minutes after files were deleted, ext4 takes longer to create others.
      const turnFolder = join(folder, `turn-${round}-${index}`);
      mkdirSync(turnFolder);
      // One runner's unwritten files would delay the next one, which may wait for the disk.
      spawnSync("sync");
      const measured = await runner.run(numbers, turnFolder);
      if (round > 0) runner.rounds.push(measured);
    }
  }
}

/** Medians per job; `ratio`: wall time relative to that of the first runner in the same turn. */
function figuresOf({ title, rounds }, first, jobs) {
  const of = (key) => median(rounds.map((round) => round[key]));
  const ratioOf = (key) => median(rounds.map((round, index) => round[key] / first.rounds[index][key]));
  return {
    title,
    wallMs: of("wallMs") / jobs,
    cpuMs: of("cpuMs") / jobs,
    ratio: ratioOf("wallMs"),
    cpuRatio: ratioOf("cpuMs"),
    ownIdle: of("ownIdle"),
    machineIdle: of("machineIdle"),
  };
}

function print(figures, { rounds, jobs, load }) {
  console.log(
    `${jobs} jobs of echo, ${AT_ONCE} at a time, on ${availableParallelism()} cores, load ${load} at the start; medians of ${rounds} turns`,
  );
  const base = figures[0]?.title;
  const headings = ["", "wall ms/job", "CPU ms/job", `wall / ${base}`, `CPU / ${base}`, "idle (own)", "idle (machine)"];
  const rows = figures.map((it) => [
    it.title,
    it.wallMs.toFixed(2),
    it.cpuMs.toFixed(2),
    it.ratio.toFixed(2),
    it.cpuRatio.toFixed(2),
    percent(it.ownIdle),
    percent(it.machineIdle),
  ]);
  const widths = headings.map((_, column) => Math.max(...[headings, ...rows].map((row) => row[column].length)));
  for (const row of [headings, ...rows])
    console.log(
      row.map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))).join("  "),
    );
  console.log(
    "CPU: user and system time of the runner and of every process below it, even of those whose parents have ended.",
  );
  console.log("idle (own): 1 - CPU / (wall x cores), so the work of others counts as idle.");
  console.log(
    "idle (machine): share of the cores' time that nobody used, by /proc/stat, so the work of others hides it.",
  );
}

function percent(share) {
  return share === undefined ? "-" : `${(share * 100).toFixed(0)} %`;
}

function lacks(program) {
  return isInstalled(program) ? undefined : `${program} is not installed`;
}

function lacksSandbox() {
  const trial = spawnSync("bwrap", ["--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "true"]);
  return trial.status === 0 ? undefined : "bubblewrap does not work here";
}

/** A runner that is one command for each turn; `argvOf` prepares its files. */
function command(argvOf) {
  const run = (numbers, folder) => measureTree(argvOf(numbers, folder), { cwd: folder });
  return { run, close: async () => {} };
}

function ninjaOf(numbers, folder) {
  const builds = numbers.map((number) => `build number-${number}.txt: echo\n  number = ${number}\n`);
  writeFileSync(join(folder, "build.ninja"), `rule echo\n  command = echo $number > $out\n${builds.join("")}`);
  return ["ninja", "--quiet", `-j${AT_ONCE}`];
}

function xargsOf(numbers, folder) {
  writeFileSync(join(folder, "numbers"), `${numbers.join("\n")}\n`);
  return ["sh", "-c", `exec xargs -P${AT_ONCE} -n1 sh -c 'echo "$0" > "number-$0.txt"' <numbers`];
}

function cwltoolOf(numbers, folder) {
  return ["cwltool", "--quiet", "--parallel", "--outdir", "outputs", ...documentOf(numbers, folder)];
}

function weftOf(numbers, folder) {
  return [
    ...weft(),
    "run",
    "--quiet",
    "--jobs",
    String(AT_ONCE),
    "--outdir",
    "outputs",
    ...documentOf(numbers, folder),
  ];
}

function documentOf(numbers, folder) {
  writeFileSync(join(folder, "scatter.cwl"), JSON.stringify(scatterNetwork()));
  writeFileSync(join(folder, "inputs.json"), JSON.stringify({ numbers }));
  return ["scatter.cwl", "inputs.json"];
}

async function serverWith(folder, sandbox) {
  const network = join(folder, "catalog/networks/scatter");
  mkdirSync(network, { recursive: true });
  writeFileSync(join(network, "scatter.cwl"), JSON.stringify(scatterNetwork()));
  const folders = ["--state", join(folder, "state"), "--catalog", join(folder, "catalog")];
  const server = await startInstalled([...folders, "--jobs", String(AT_ONCE), "--sandbox", sandbox], { adopt: true });
  const run = (numbers) =>
    measureWhile(server.pid, () =>
      server.runToEnd({ network: "scatter", inputs: { numbers } }, { askEveryMs: ASK_EVERY_MS }),
    );
  return { run, close: () => server.stop() };
}
