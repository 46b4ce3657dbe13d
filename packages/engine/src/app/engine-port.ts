import { jobBundle } from "../bundle/job-bundle.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { HostLoad } from "../insight/host-load.ts";
import type { Engine, EngineProvenance, EngineRuns } from "../port/engine.ts";
import type { ProvenanceThreads } from "../provenance/thread/provenance-threads.ts";
import type { Retention } from "../retention/retention.ts";
import { RunIds } from "../runs/begin/run-ids.ts";
import type { RequestContext } from "../runs/begin/resolve-request.ts";
import type { RunRegistry } from "../runs/drive/run-registry.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import { createCatalogService } from "../services/catalog-service.ts";
import { createEventService } from "../services/event-service.ts";
import { createFileService } from "../services/file-service.ts";
import { createInsightService } from "../services/insight-service.ts";
import { createOperationsService } from "../services/operations-service.ts";
import { JobTableThread } from "../services/job-table/job-table-thread.ts";
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
  readonly hostLoad: HostLoad;
}

/** Implements the methods of the port with the parts of an engine. */
export function createEnginePort(parts: EngineParts): Engine {
  const { options, state, catalog, services, retention, end } = parts;
  const { version, maxUploadBytes } = options;
  const { folder, journal, failed, roots, access } = state;
  const { read } = journal;
  const ids = new RunIds(read.newestRunId());
  const runs = createRuns(parts, ids);
  const fileOptions = { roots, access, read, runsFolder: folder.runs, uploadsFolder: folder.uploads, maxUploadBytes };
  return {
    catalog: createCatalogService(catalog, read, roots.uris),
    runs,
    provenance: createProvenance(parts, ids, runs),
    files: createFileService(fileOptions),
    archives: {
      outputs: (caller, runId) => outputsArchive(caller, runId, services),
      job: (caller, wanted) => jobBundle(wanted, { services, caller, weftVersion: version }),
    },
    events: createEventService(journal),
    insight: createInsightService({ journal, catalog, scheduler: services.scheduler, thread: parts.threads }),
    operations: createOperationsService({ ...services, hostLoad: parts.hostLoad, thread: parts.threads }),
    storage: {
      prune: ({ principal }, body, isDryRun) =>
        retention.prune(body, { actor: principal, isDryRun, nowMs: journal.nowMs() }),
    },
    serverInfo: () => {
      const { root: stateFolder } = folder;
      const sinkRoots = sinkRootsOf(services);
      const facts = { version, startedMs: parts.startedMs, stateFolder, draining: end.hasBegun, sinkRoots };
      return serverInfo(facts, journal, services.scheduler);
    },
    stop: (mode) => end.stop(mode),
    get draining() {
      return end.hasBegun;
    },
    get storageProblem() {
      return journal.storageProblem;
    },
    failed,
  };
}

function createRuns(
  { options, state, catalog, services, registry, threads: thread, end }: EngineParts,
  ids: RunIds,
): EngineRuns {
  const { roots, access } = state;
  const { script, limits, downloads } = services;
  const { policy } = downloads.settings;
  const sinkRoots = sinkRootsOf(services);
  const request: RequestContext = { catalog, roots, access, script, limits, policy, sinkRoots };
  const isDraining = () => end.hasBegun;
  return createRunService({
    ...{ services, registry, request, ids, isDraining, thread },
    jobTable: new JobTableThread({ database: state.folder.database }),
    maxOpenRuns: options.maxOpenRuns,
  });
}

function createProvenance(parts: EngineParts, ids: RunIds, runs: EngineRuns): EngineProvenance {
  const { options, state, services, retention, threads, end } = parts;
  const { folder, journal } = state;
  return createProvenanceService({
    read: journal.read,
    thread: threads,
    imports: {
      journal,
      ids,
      importsFolder: folder.imports,
      runsFolder: folder.runs,
      maxBytes: options.maxUploadBytes,
      limits: services.limits,
    },
    present: (caller, runId) => runs.get(caller, runId),
    imported: (runId) => retention.runEnded(runId),
    isDraining: () => end.hasBegun,
  });
}

/** Names of the folders that outputs may be copied to. */
function sinkRootsOf({ sinks }: Pick<RunServices, "sinks">): readonly string[] {
  return Object.keys(sinks.folders);
}
