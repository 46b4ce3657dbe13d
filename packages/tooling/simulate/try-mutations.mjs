import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runSeeds } from "../../engine/test/simulate/run-seeds.ts";
import { ROOT } from "../install.mjs";
import { MUTATIONS } from "./mutations/mutations.mjs";

const PAGE = join(ROOT, "docs/contributing/laboratory.md");
const BEGIN = "<!-- figures: npm run simulate -- --mutations --record -->";
const END = "<!-- end of figures -->";

/**
 * Looks for a seed that detects each mutation, and prints it; with `records`, also writes a table into
 * docs/contributing/laboratory.md. Returns the exit code: 0 if all mutations were detected.
 */
export async function tryMutations({ from, count, threads, records }) {
  let caught = 0;
  const rows = [];
  for (const mutation of MUTATIONS) {
    const folder = mkdtempSync(join(tmpdir(), "weft-mutation-"));
    try {
      const worker = mutatedWorker(folder, mutation);
      const { seeds, first } = await findSeed({ from, count, threads, worker });
      if (first !== undefined) caught += 1;
      const how =
        first === undefined ? `NOT caught in ${seeds} worlds` : `caught by seed ${first.seed}: ${first.invariant}`;
      console.log(`mutation: ${mutation.name}: ${how}`);
      rows.push(`| ${mutation.name} | ${first?.seed ?? `none of ${seeds}`} | ${first?.invariant ?? ""} |`);
      // Written after each mutation, because all of them take a long time.
      const summary = `${caught} of ${rows.length} caught within ${count} worlds, from seed ${from}:`;
      if (records) writeFigures([summary, "", ...HEAD, ...rows].join("\n"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  console.log(`mutations: ${caught} of ${MUTATIONS.length} caught within ${count} worlds`);
  return caught === MUTATIONS.length ? 0 : 1;
}

const HEAD = ["| deliberate bug | found by seed | broken promise |", "|---|---|---|"];

/** Replaces the figures on the page. */
function writeFigures(text) {
  const page = readFileSync(PAGE, "utf8");
  const [before, after] = [page.split(BEGIN)[0], page.split(END)[1]];
  if (after === undefined) throw new Error(`${PAGE} lacks the lines "${BEGIN}" and "${END}"`);
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${text}\n\n${END}${after}`);
}

/** The first seed that detects the mutation; a seed that also fails without the mutation does not count. */
async function findSeed({ from, count, ...options }) {
  let seeds = 0;
  for (let next = from; next < from + count;) {
    const report = await runSeeds({ ...options, from: next, count: from + count - next, stopsEarly: true });
    seeds += report.seeds;
    const [first] = report.broken;
    if (first === undefined) break;
    const { broken } = await runSeeds({ from: first.seed, count: 1, threads: 1 });
    if (broken.length === 0) return { seeds, first };
    next = first.seed + 1;
  }
  return { seeds, first: undefined };
}

/** A copy of the engine with one bug; the other packages are those of this repository. */
function mutatedWorker(folder, { name, file, from, to }) {
  const engine = join(folder, "packages/engine");
  for (const part of ["src", "test/simulate", "package.json"])
    cpSync(join(ROOT, "packages/engine", part), join(engine, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const path = join(engine, "src", file);
  const source = readFileSync(path, "utf8");
  if (source.split(from).length !== 2) throw new Error(`the mutation "${name}" no longer fits ${file}`);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  return pathToFileURL(join(engine, "test/simulate/seed-worker.ts"));
}
