// npm run bench [part…]: compares Weft with other ways of doing the same work, in interleaved runs (A B A B …). A ratio is
// valid even if the machine is shared and its speed drifts; a single time is not. Weft is the package that users install, built
// from these sources. Options: --rounds N (default 5); for the part `jobs` also --jobs N (default 1000), --only NAME,… and
// --record, which adds the figures to docs/explanation/performance.md; `growth` takes --only SUBJECT,… and --percent P (100) of
// the full sizes.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled, ROOT } from "../install.mjs";
import { benchDocuments } from "./documents.mjs";
import { benchFetch } from "./fetch.mjs";
import { benchJobs } from "./jobs.mjs";
import { benchGrowth } from "./growth/growth.mjs";
import { PACKAGE, setRounds } from "./measure.mjs";
import { readOptions } from "./options.mjs";
import { benchRequests } from "./requests.mjs";
import { benchSlurm } from "./slurm.mjs";
import { benchStart } from "./start.mjs";

/** Takes half an hour, so it runs only if it is named. */
const LONG = "growth";

const PARTS = {
  start: benchStart,
  jobs: benchJobs,
  fetch: benchFetch,
  documents: benchDocuments,
  requests: benchRequests,
  growth: benchGrowth,
  slurm: benchSlurm,
};

let folder;
try {
  const options = readOptions(process.argv.slice(2));
  const unknown = options.parts.filter((name) => !(name in PARTS));
  if (unknown.length > 0)
    throw new Error(`no part is called ${unknown.join(", ")}; the parts are ${Object.keys(PARTS).join(", ")}`);
  setRounds(options.rounds);
  ensureInstalled();
  const { assemble } = await import("../release/assemble.mjs"); // needs what was just installed
  // Not below /tmp, where sandboxed jobs would need extra mount points; servers do not keep their state there.
  const cache = join(ROOT, "node_modules/.cache/weft");
  mkdirSync(cache, { recursive: true });
  await assemble(PACKAGE);
  folder = mkdtempSync(join(cache, "bench-"));
  for (const [name, part] of Object.entries(PARTS))
    if (options.parts.length === 0 ? name !== LONG : options.parts.includes(name)) await part(folder, options);
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
} finally {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
