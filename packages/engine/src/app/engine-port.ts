import { jobBundle } from "../bundle/job-bundle.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Engine } from "../port/engine.ts";
import type { ProvenanceThreads } from "../provenance/thread/provenance-threads.ts";
import type { Retention } from "../retention/retention.ts";
import { RunIds } from "../runs/begin/run-ids.ts";
import type { RequestContext } from "../runs/begin/resolve-request.ts";
import type { RunRegistry } from "../runs/drive/run-registry.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import { createCatalogService } from "../services/catalog-service.ts";
import { createEventService } from "../services/event-service.ts";
import { createFileService } from "../services/file-service.ts";
import { outputsArchive } from "../services/outputs-archive.ts";
import { createProvenanceService } from "../services/provenance-service.ts";
import { createRunService } from "../services/run-service.ts";
import type { EngineOptions } from "./engine-options.ts";
import { serverInfo } from "./server-info.ts";
import type { ServerState } from "./server-state.ts";
import type { EngineStop } from "./stop-engine.ts";

export interface EngineParts {
  readonly options: Pick<EngineOptions, "version" | "maxUploadBytes" | "maxOpenRuns">;
  readonly startedMs: number;
  readonly state: ServerState;
  readonly catalog: Catalog;
  readonly services: RunServices;
  readonly registry: RunRegistry;
  readonly retention: Retention;
  readonly threads: ProvenanceThreads;
  readonly end: EngineStop;
}

/** Answers the methods of the port with the parts of an engine. */
export function createEnginePort(parts: EngineParts): Engine {
  const { options, startedMs, state, catalog, services, registry, retention, threads, end } = parts;
  const { version, maxUploadBytes, maxOpenRuns } = options;
  const { folder, journal, failed, roots, access } = state;
  const { runs: runsFolder, uploads: uploadsFolder, imports: importsFolder } = folder;
  const { limits, scheduler } = services;
  const { read } = journal;
  const sinkRoots = Object.keys(services.sinks.folders);
  const ids = new RunIds(read.newestRunId());
  const isDraining = () => end.hasBegun;
  const policy = services.downloads.settings.policy;
  const request: RequestContext = { catalog, roots, access, script: services.script, limits, policy, sinkRoots };
  const runs = createRunService({ services, registry, request, ids, isDraining, maxOpenRuns });
  return {
    catalog: createCatalogService(catalog, read, roots.uris),
    runs,
    provenance: createProvenanceService({
      read,
      thread: threads,
      imports: { journal, ids, importsFolder, runsFolder, maxBytes: maxUploadBytes, limits },
      present: (caller, runId) => runs.get(caller, runId),
      imported: (runId) => retention.runEnded(runId),
      isDraining,
    }),
    files: createFileService({ roots, access, read, runsFolder, uploadsFolder, maxUploadBytes }),
    archives: {
      outputs: (caller, runId) => outputsArchive(caller, runId, services),
      job: (caller, wanted) => jobBundle(wanted, { services, caller, weftVersion: version }),
    },
    events: createEventService(journal),
    storage: {
      prune: ({ principal }, body, isDryRun) =>
        retention.prune(body, { actor: principal, isDryRun, nowMs: journal.nowMs() }),
    },
    serverInfo: () => {
      const facts = { version, startedMs, stateFolder: folder.root, draining: end.hasBegun, sinkRoots };
      return serverInfo(facts, journal, scheduler);
    },
    stop: (mode) => end.stop(mode),
    get draining() {
      return end.hasBegun;
    },
    get trouble() {
      return journal.trouble;
    },
    failed,
  };
}
