// Feeds damaged launch files to the launcher's parser, built with the compiler's sanitizers:
//
//   npx node packages/tooling/fuzz-launcher.mjs [--minutes M] [--seed S]
//
// Exits with 1 at the first finding; the same seed repeats it.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { NATIVE, WARNINGS } from "./build-launcher.mjs";

/** Files per process: about a second. */
const FILES = 200_000;

/** Builds the fuzzer in a folder. Returns a function that runs it with a seed and returns the result of its process. */
export function buildFuzzer(folder) {
  const program = join(folder, "fuzz-launch");
  const flags = [...WARNINGS, "-Wno-unused-function", "-O1", "-g", "-fsanitize=address,undefined"];
  const built = spawnSync("gcc", [...flags, "-fno-sanitize-recover=all", "-o", program, "fuzz-launch.c"], {
    cwd: NATIVE,
    encoding: "utf8",
  });
  if (built.status !== 0) throw new Error(built.error?.message ?? built.stderr);
  return (seed, files = FILES) => spawnSync(program, [String(seed), String(files)], { encoding: "utf8" });
}

function main() {
  const { values } = parseArgs({ options: { minutes: { type: "string" }, seed: { type: "string" } } });
  const folder = mkdtempSync(join(tmpdir(), "weft-fuzz-launcher-"));
  const untilMs = performance.now() + Number(values.minutes ?? 1) * 60_000;
  try {
    const fuzz = buildFuzzer(folder);
    let seed = Number(values.seed ?? 1);
    for (; performance.now() < untilMs; seed += 1) {
      const { status, stderr } = fuzz(seed);
      if (status === 0) continue;
      console.error(`seed ${seed}:\n${stderr}`);
      return 1;
    }
    console.log(`${(seed - Number(values.seed ?? 1)) * FILES} launch files, no finding`);
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) process.exit(main());
