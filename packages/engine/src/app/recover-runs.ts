import type { OutputFiles } from "@weft/cwl/tool-tests/judge-content.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Machines } from "../container/machines.ts";
import { clearImports } from "../provenance/import/clear-imports.ts";
import { realPathOf } from "../provenance/real-path-of.ts";
import { TestWatch } from "../tests/test-watch.ts";
import { ReproductionWatch } from "../provenance/reproduction-watch.ts";
import type { Retention } from "../retention/retention.ts";
import { RunResumption } from "../runs/drive/resume-runs.ts";
import type { RunRegistry } from "../runs/drive/run-registry.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { ServerState } from "./server-state.ts";
import type { RunServices } from "../runs/drive/run-services.ts";

export interface RecoveryParts {
  readonly options: Pick<EngineOptions, "version" | "listening" | "probationMs">;
  readonly state: ServerState;
  readonly executor: Machines;
  readonly services: RunServices;
  readonly catalog: Catalog;
  readonly registry: RunRegistry;
  readonly retention: Retention;
  readonly outputFiles: OutputFiles;
}

/**
 * Records that this server started, and resumes what an earlier server left open. Deletes files that nothing needs.
 * Then, in the background, compares reproductions, judges tests, finishes removals and resumes open runs.
 */
export async function recoverRuns(
  parts: RecoveryParts,
): Promise<{ readonly resumption: RunResumption; readonly closeWatches: () => Promise<void> }> {
  const { options, state, executor, services, catalog, registry, retention } = parts;
  const { version, listening, probationMs } = options;
  const { journal, folder, roots, access, failed } = state;
  const { read } = journal;
  await journal.append([
    { type: "server.started", run_id: null, actor: "engine", data: { version, pid: process.pid } },
  ]);
  const open = read.openRuns().map(({ runId }) => runId);
  for (const runId of open) for (const kind of read.containerEngines(runId)) executor.containers.inherit(runId, kind);
  services.secrets.forgetAllBut(new Set(open));
  await clearImports({ importsFolder: folder.imports, runsFolder: folder.runs, read });
  const { reach } = access.all;
  const resolve = (uri: string) => realPathOf(uri, { roots, reach });
  const { log } = services;
  const reproductions = new ReproductionWatch({ journal, reach, resolve, uris: roots.uris, log });
  const tests = new TestWatch({ journal, uris: roots.uris, files: parts.outputFiles, log });
  retention.recover();
  const onEnded = (runId: string) => retention.runEnded(runId);
  const resumption = new RunResumption({ services, registry, catalog, onEnded, listening, probationMs });
  void failed.then(() => resumption.stop());
  const closeWatches = async () => void (await Promise.all([reproductions.close(), tests.close()]));
  return { resumption, closeWatches };
}
