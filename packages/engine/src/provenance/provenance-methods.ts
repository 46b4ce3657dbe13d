import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Agent, EngineProvenance, EngineRuns } from "../port/engine.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import type { Journal } from "../journal/journal.ts";
import type { RunRow } from "../journal/rows.ts";
import type { AllowedRoots } from "../access/allowed-roots.ts";
import { requireVisibleRun } from "../access/visible-runs.ts";
import { clearImports } from "./import/clear-imports.ts";
import { importCrate, type ImportServices } from "./import/import-crate.ts";
import type { ReadPool } from "../read/read-pool.ts";
import type { StateFolder } from "../state/state-folder.ts";
import type { provenanceTasks } from "./provenance-tasks.ts";
import { realPathOf } from "./real-path-of.ts";
import { watchReproductions, type WatchOptions } from "./reproduction-watch.ts";

interface ProvenanceParts {
  readonly journal: Journal;
  readonly reads: ReadPool;
}

interface OpenedParts extends ProvenanceParts, Omit<WatchOptions, "resolve"> {
  readonly folder: Pick<StateFolder, "imports" | "runs">;
  readonly roots: AllowedRoots;
  readonly begin: (agent: Agent) => void;
}

/** Clears interrupted imports, and compares reproductions with their originals. */
export async function openProvenance(parts: OpenedParts): Promise<RouteMethods> {
  const { journal, folder, roots, reach, begin } = parts;
  await clearImports({ importsFolder: folder.imports, runsFolder: folder.runs, read: journal.read });
  begin(watchReproductions({ ...parts, resolve: (uri) => realPathOf(uri, { roots, reach }) }));
  return provenanceMethods(parts);
}

/** The provenance of runs, from the log. Crates refuse `conflict` before a run has ended. */
function provenanceMethods(parts: ProvenanceParts): RouteMethods {
  const { read } = parts.journal;
  const { ask, text } = parts.reads.of<typeof provenanceTasks>("provenance");
  const compare = compareFrom(parts);
  return {
    "GET /api/runs/{run_id}/provenance": async ({ caller, params, query: { format = "prov-json" } }) => {
      const { runId } = requireVisibleRun(read, params.run_id, caller);
      if (format === "prov-json") return text(caller, "provJson", runId);
      if (format === "ro-crate-metadata") {
        const { bytes: content } = await text(caller, "crateMetadata", runId);
        return { mediaType: "application/ld+json; charset=utf-8", content };
      }
      const zip = await ask(caller, "crate", runId);
      return { name: `crate-${runId}.zip`, open: () => zip, discard: () => void zip.destroy() };
    },
    "GET /api/runs/{run_id}/comparison": async ({ caller, params, query }) => {
      const { with: other, relative = 0, absolute = 0 } = query;
      return compare(caller, [params.run_id, other], { relative, absolute });
    },
    "GET /api/runs/{run_id}/lineage": async ({ caller, params, query: { depth = 1, sample } }) =>
      ask(caller, "lineage", requireVisibleRun(read, params.run_id, caller).runId, depth, sample),
  };
}

interface ProvenanceServices extends ProvenanceParts {
  readonly imports: ImportServices;
  readonly runs: Pick<EngineRuns, "get">;
  readonly isDraining: () => boolean;
}

/** Imports of crates, and comparisons of runs. */
export function createProvenanceService(services: ProvenanceServices): EngineProvenance {
  return {
    compare: compareFrom(services),
    importCrate: async (caller, given) => {
      if (services.isDraining()) throw new Refusal("draining", "The server is shutting down and imports nothing more.");
      const runId = await importCrate(caller.principal, given, services.imports);
      return services.runs.get(caller, runId);
    },
  };
}

function compareFrom({ journal: { read }, reads }: ProvenanceParts): EngineProvenance["compare"] {
  const { ask } = reads.of<typeof provenanceTasks>("provenance");
  return async (caller, runIds, tolerance) => {
    for (const runId of runIds) refuseOtherLanguage(requireVisibleRun(read, runId, caller));
    return ask(caller, "comparison", runIds, tolerance);
  };
}

/** In another language, the names of inputs and outputs mean something else. */
function refuseOtherLanguage({ runId, imported }: RunRow): void {
  if (imported?.foreign === undefined || imported.foreign.is_cwl) return;
  const language = imported.foreign.language ?? "another language";
  throw new Refusal("conflict", `Only CWL runs can be compared; the run ${runId} is of ${language}.`);
}
