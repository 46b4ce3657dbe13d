import type { OutputFiles } from "@weft/cwl/tool-tests/judge-content.ts";
import { jobBundle } from "../bundle/job-bundle.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { DraftStore } from "../drafts/draft-store.ts";
import type { HostLoad } from "../insight/host-load.ts";
import type {
  Engine,
  EngineDatasets,
  EngineDrafts,
  EngineFiles,
  EngineProvenance,
  EngineRuns,
  EngineWesDocuments,
  RouteMethods,
} from "../port/engine.ts";
import type { Retention } from "../retention/retention.ts";
import { RunIds } from "../runs/begin/run-ids.ts";
import type { RunRegistry } from "../runs/drive/run-registry.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import { automationMethods } from "../services/automation-service.ts";
import { createCatalogService } from "../services/catalog-service.ts";
import { coreMethods } from "../services/core-methods.ts";
import { createDraftGroupService } from "../services/draft-group-service.ts";
import { createDatasetService } from "../services/dataset-service.ts";
import { createDraftService } from "../services/draft-service.ts";
import type { DraftRuns } from "../services/draft-service.ts";
import { createEventService } from "../services/event-service.ts";
import { createExportService } from "../services/draft-service.ts";
import { createFileService } from "../services/file-service.ts";
import { insightMethods } from "../services/insight-service.ts";
import { notificationMethods } from "../services/notification-service.ts";
import { operationsMethods } from "../services/operations-service.ts";
import type { ReadPool } from "../services/read/read-pool.ts";
import { outputsArchive } from "../services/outputs-archive.ts";
import { createProvenanceService } from "../services/provenance-service.ts";
import { reviewMethods } from "../services/review-service.ts";
import { createRunService } from "../services/run-service.ts";
import { createWesDocumentService } from "../services/wes-document-service.ts";
import { allowHosts } from "../files/remote/http-policy.ts";
import type { WesDocuments } from "../wes-documents/wes-documents.ts";
import { testMethods } from "../services/test-service.ts";
import { Automator } from "../automate/automator.ts";
import { presentType } from "../catalog/present-type.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { Notifications } from "./open-notifications.ts";
import { serverInfo } from "./server-info.ts";
import type { ServerState } from "./server-state.ts";
import type { Agent, EngineStop } from "./stop-engine.ts";
import { resolveAll } from "./server-state.ts";

export interface EngineParts {
  readonly options: Pick<
    EngineOptions,
    | "commitPublished"
    | "version"
    | "maxUploadBytes"
    | "maxOpenRuns"
    | "runNames"
    | "wesDocuments"
    | "listening"
    | "automationIntervalMs"
    | "dataFolders"
    | "log"
  >;
  readonly startedMs: number;
  readonly state: ServerState;
  readonly catalog: Catalog;
  readonly reload: () => Promise<void>;
  readonly drafts: DraftStore;
  readonly services: RunServices;
  readonly registry: RunRegistry;
  readonly wesDocuments: WesDocuments;
  readonly retention: Retention;
  readonly reads: ReadPool;
  readonly end: EngineStop;
  readonly hostLoad: HostLoad;
  readonly outputFiles: OutputFiles;
  readonly notifications: Notifications;
  /** Closed when the engine stops. */
  readonly agents: Agent[];
}

/** Implements the methods of the port with the parts of an engine. */
export function createEnginePort(parts: EngineParts): Engine {
  const { options, state, catalog, services, end } = parts;
  const { folder, journal, failed, roots } = state;
  const ids = new RunIds(journal.read.newestRunId());
  const datasets = createDatasets(parts);
  const { runs, drafts } = createRuns(parts, ids, datasets);
  const files = createFiles(parts);
  const core = {
    catalog: createCatalogService(catalog, journal.read, roots.uris),
    drafts: createDrafts(parts, drafts),
    datasets,
    runs,
    provenance: createProvenance(parts, ids, runs),
    files,
    wesDocuments: createWesDocuments(parts, files),
    events: createEventService(journal),
  };
  return {
    ...core,
    methods: { ...coreMethods(core), ...featureMethods(parts, core, drafts) },
    serverInfo: () => {
      const from = { stateFolder: folder.root, sinkRoots: sinkRootsOf(services) };
      const facts = { version: options.version, startedMs: parts.startedMs, draining: end.hasBegun, ...from };
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

function featureMethods(
  parts: EngineParts,
  core: { readonly runs: EngineRuns; readonly datasets: EngineDatasets },
  tested: DraftRuns,
): RouteMethods {
  const { state, catalog, services, reads } = parts;
  const { journal, roots } = state;
  return {
    ...testMethods({ catalog, journal, uris: roots.uris, files: parts.outputFiles, runs: tested }),
    ...notificationMethods({ journal, catalog, ...parts.notifications }),
    ...automate(parts, core),
    ...reviewMethods(journal),
    ...insightMethods({ journal, catalog, scheduler: services.scheduler, reads }),
    ...operationsMethods({ ...services, hostLoad: parts.hostLoad, reads }),
    ...archiveMethods(parts),
    ...storageMethods(parts),
  };
}

function archiveMethods({ services, options: { version: weftVersion } }: EngineParts): RouteMethods {
  return {
    "GET /api/runs/{run_id}/outputs.zip": ({ caller, params }) => outputsArchive(caller, params.run_id, services),
    "GET /api/runs/{run_id}/jobs/{job_id}/bundle": ({ caller, params, query }) => {
      const wanted = { runId: params.run_id, jobId: params.job_id, withData: query.data === true };
      return jobBundle(wanted, { services, caller, weftVersion });
    },
  };
}

function automate(
  parts: EngineParts,
  asked: { readonly runs: EngineRuns; readonly datasets: EngineDatasets },
): RouteMethods {
  const { state, catalog, notifications, services } = parts;
  const automator = openAutomations(parts, asked);
  const { journal } = state;
  const sinkRoots = sinkRootsOf(services);
  return automationMethods({ ...asked, journal, catalog, automator, actAs: notifications.actAs, sinkRoots });
}

function storageMethods({ retention, state: { journal } }: EngineParts): RouteMethods {
  return {
    "POST /api/prune": ({ caller: { principal: actor }, body, query: { dry_run: isDryRun = false } }) =>
      retention.prune(body, { actor, isDryRun, nowMs: journal.nowMs() }),
  };
}

function createFiles({ options: { maxUploadBytes }, state }: EngineParts): EngineFiles {
  const { folder, journal, roots, access } = state;
  const { runs: runsFolder, uploads: uploadsFolder } = folder;
  return createFileService({ roots, access, read: journal.read, runsFolder, uploadsFolder, maxUploadBytes });
}

function createWesDocuments(
  { options, state, services, wesDocuments: documents }: EngineParts,
  files: EngineFiles,
): EngineWesDocuments {
  const { wesDocuments: settings } = options;
  return createWesDocumentService({
    documents,
    isOn: settings !== undefined,
    read: state.journal.read,
    uris: state.roots.uris,
    upload: (caller, name, content) => files.upload(caller, name, content),
    http: { ...services.downloads.settings, policy: allowHosts(settings?.hosts ?? []) },
  });
}

function createDatasets({ state: { journal }, catalog, reads }: EngineParts): EngineDatasets {
  return createDatasetService({ journal, catalog, reads });
}

function createRuns(
  { options, state, catalog, services, registry, wesDocuments, reads, end }: EngineParts,
  ids: RunIds,
  datasets: EngineDatasets,
): ReturnType<typeof createRunService> {
  const { roots } = state;
  const isDraining = () => end.hasBegun;
  return createRunService({
    services: { ...services, datasets, catalog, roots },
    ...{ registry, ids, isDraining, reads },
    wesDocuments,
    maxOpenRuns: options.maxOpenRuns,
    runNames: options.runNames,
  });
}

function createDrafts(parts: EngineParts, runs: DraftRuns): EngineDrafts {
  const { drafts: store, catalog, reload, outputFiles: files } = parts;
  const { journal, roots } = parts.state;
  const nowMs = () => journal.nowMs();
  const places = { importsFolder: parts.state.folder.imports, http: parts.services.downloads.settings };
  const logged = { journal, read: journal.read, uris: roots.uris, files, nowMs };
  const commits = parts.options.commitPublished ?? false;
  const options = { store, catalog, reload, runs, commits, ...logged, ...places };
  return { ...createDraftService(options), ...createDraftGroupService(options), ...createExportService(options) };
}

function createProvenance(parts: EngineParts, ids: RunIds, runs: EngineRuns): EngineProvenance {
  const { options, state, services, retention, reads, end } = parts;
  const { folder, journal } = state;
  return createProvenanceService({
    read: journal.read,
    reads,
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
function sinkRootsOf({ sinks }: RunServices): readonly string[] {
  return Object.keys(sinks.folders);
}

type Parts = Pick<EngineParts, "options" | "state" | "catalog" | "notifications" | "agents">;

/** Starts runs by themselves from when the server listens. */
function openAutomations(
  { options, state, catalog, notifications, agents }: Parts,
  asked: { readonly runs: EngineRuns; readonly datasets: EngineDatasets },
): Automator {
  const { journal, failed } = state;
  const { listening, automationIntervalMs: intervalMs, log, dataFolders } = options;
  const automator = new Automator({
    ...asked,
    ...{ journal, intervalMs, log },
    actAs: notifications.actAs,
    network: (id) => {
      const { digest, process } = catalog.findRunnable("network", id, undefined);
      return { digest, inputs: process.inputs.map((input) => ({ id: input.id, type: presentType(input.type) })) };
    },
    folders: Object.values(resolveAll(dataFolders)),
  });
  agents.push(automator);
  void failed.then(() => automator.close());
  if (listening === undefined) automator.begin();
  else void listening.then(() => automator.begin());
  return automator;
}
