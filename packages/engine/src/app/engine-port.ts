import type { RouteMethods } from "../port/route-methods.ts";
import type {
  Engine,
  EngineDatasets,
  EngineDrafts,
  EngineFiles,
  EngineProvenance,
  EngineRuns,
  EngineWesDocuments,
} from "../port/engine.ts";
import { RunIds } from "../runs/begin/run-ids.ts";
import { createCatalogService } from "../services/catalog-service.ts";
import { coreMethods } from "../services/core-methods.ts";
import { createDraftGroupService, draftGroupMethods, MemberCache } from "../services/draft-group-service.ts";
import { createDatasetService } from "../datasets/dataset-methods.ts";
import { createDraftService, draftMethods } from "../services/draft-service.ts";
import type { DraftRuns } from "../services/draft-service.ts";
import { createEventService } from "../services/event-service.ts";
import { createFileService } from "../services/file-service.ts";
import { createProvenanceService } from "../provenance/provenance-service.ts";
import { createRunService } from "../services/run-service.ts";
import { createWesDocumentService } from "../services/wes-document-service.ts";
import { allowHosts } from "../files/remote/http-policy.ts";
import { serverInfo } from "./server-info.ts";
import type { EngineParts } from "./engine-parts.ts";
import { openFeatures } from "./features.ts";

/** Implements the methods of the port with the parts of an engine. */
export async function createEnginePort(parts: EngineParts): Promise<Engine> {
  const { options, state, catalog, services, end } = parts;
  const { folder, journal, failed, roots } = state;
  const ids = new RunIds(journal.read.newestRunId());
  const datasets = createDatasetService({ journal, catalog, reads: parts.reads });
  const { runs, drafts: documents } = createRuns(parts, ids, datasets);
  const { drafts, methods: ofDrafts } = createDrafts(parts, documents);
  const files = createFiles(parts);
  const core = {
    catalog: createCatalogService(catalog, journal.read, roots.uris),
    drafts,
    runs,
    provenance: createProvenance(parts, ids, runs),
    files,
    wesDocuments: createWesDocuments(parts, files),
    events: createEventService(journal),
  };
  const features = await openFeatures(parts, { runs, datasets, documents });
  return {
    ...core,
    methods: { ...coreMethods(core), ...ofDrafts, ...features },
    serverInfo: () => {
      const from = { stateFolder: folder.root, sinkRoots: Object.keys(services.sinks.folders) };
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

function createDrafts(
  parts: EngineParts,
  runs: DraftRuns,
): { readonly drafts: EngineDrafts; readonly methods: RouteMethods } {
  const { drafts: store, catalog, reload, outputFiles } = parts;
  const { journal, roots } = parts.state;
  const nowMs = () => journal.nowMs();
  const places = { importsFolder: parts.state.folder.imports, http: parts.services.downloads.settings };
  const logged = { journal, read: journal.read, uris: roots.uris, outputFiles, nowMs };
  const commits = parts.options.commitPublished ?? false;
  const options = { store, catalog, reload, documents: runs, commits, ...logged, ...places };
  const group = { ...options, members: new MemberCache(options) };
  return {
    drafts: { ...createDraftService(options), ...createDraftGroupService(group) },
    methods: { ...draftMethods(options), ...draftGroupMethods(group) },
  };
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
