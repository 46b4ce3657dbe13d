// npm run bench [part…]: ratios of Weft to another way of doing the same, in interleaved runs (A B A B …). A ratio holds
// where the machine is shared and its speed drifts; a single time does not. Parts: start, jobs, documents, server,
// memory, store, lineage, watchers, slurm.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled } from "../install.mjs";
import { benchDocuments } from "./documents.mjs";
import { benchJobs } from "./jobs.mjs";
import { benchLineage } from "./lineage.mjs";
import { benchMemory } from "./memory.mjs";
import { benchServer } from "./server.mjs";
import { benchSlurm } from "./slurm.mjs";
import { benchStart } from "./start.mjs";
import { benchWatchers } from "./watchers.mjs";
import { benchStore } from "./store.mjs";

const PARTS = {
  start: benchStart,
  jobs: benchJobs,
  documents: benchDocuments,
  server: benchServer,
  memory: benchMemory,
  watchers: benchWatchers,
  store: benchStore,
  lineage: benchLineage,
  slurm: benchSlurm,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`bench: no part is called ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
  process.exit(2);
}
ensureInstalled();
const folder = mkdtempSync(join(tmpdir(), "weft-bench-"));
try {
  for (const [name, part] of Object.entries(PARTS))
    if (wanted.length === 0 || wanted.includes(name)) await part(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
