import { statfs } from "node:fs/promises";
import type { OutputFiles } from "@weft/language/tool-tests/judge-content.ts";
import type { ServerStatus } from "@weft/shared/records/lineage-record.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { DraftStore } from "../drafts/draft-store.ts";
import type { ReadPool } from "../read/read-pool.ts";
import type { RunRegistry } from "../runs/drive/run-registry.ts";
import type { RunServices } from "../runs/drive/run-services.ts";
import type { WesDocuments } from "../wes-documents/wes-documents.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { ServerState } from "./server-state.ts";
import type { EngineStop } from "./stop-engine.ts";
import { createEventService, momentMethods } from "../access/event-service.ts";
import { visibleOwner } from "../access/visible-runs.ts";
import { catalogMethods, createCatalogService } from "../catalog/catalog-methods.ts";
import { allowHosts } from "../files/remote/http-policy.ts";
import type { Agent, Engine } from "../port/engine.ts";
import { createFileService, folderMethods } from "../present/file-service.ts";
import { createProvenanceService } from "../provenance/provenance-methods.ts";
import { RunIds } from "../runs/begin/run-ids.ts";
import { createRunService } from "../runs/run-service.ts";
import { createWesDocumentService, wesDocumentMethods } from "../wes-documents/wes-document-service.ts";
import { openDraftGroups } from "../workbench/draft-group-methods.ts";
import { createDraftService, draftMethods } from "../workbench/draft-methods.ts";
import { openFeatures, openSamples } from "./features.ts";

export interface EngineParts {
  readonly options: EngineOptions;
  readonly startedMs: number;
  readonly state: ServerState;
  readonly catalog: Catalog;
  readonly reload: () => Promise<void>;
  readonly drafts: DraftStore;
  readonly services: RunServices;
  readonly registry: RunRegistry;
  readonly wesDocuments: WesDocuments;
  readonly reads: ReadPool;
  readonly end: EngineStop;
  readonly outputFiles: OutputFiles;
  /** Closed when the engine stops. */
  readonly agents: Agent[];
}

export type Server = Awaited<ReturnType<typeof serverOf>>;

/** Implements the methods of the port with the parts of an engine. */
export async function createEnginePort(parts: EngineParts): Promise<Engine> {
  const server = await serverOf(parts);
  const { journal, runs, end } = server;
  const files = createFileService(server);
  const drafts = draftPartsOf(server);
  const groups = openDraftGroups(drafts);
  return {
    catalog: createCatalogService(server),
    drafts: { ...createDraftService(drafts), ...groups.drafts },
    runs,
    provenance: createProvenanceService({ ...server, imports: importsOf(server) }),
    files,
    wesDocuments: createWesDocumentService({ ...server, files, http: wesHttp(server) }),
    events: createEventService(journal),
    methods: {
      ...server.methods,
      ...catalogMethods(server),
      ...folderMethods(server),
      ...wesDocumentMethods(server),
      ...momentMethods(server),
      ...draftMethods(drafts),
      ...groups.methods,
      ...(await openFeatures(server)),
    },
    serverInfo: (caller) => serverInfo(visibleOwner(caller), server),
    stop: (mode) => end.stop(mode),
    get draining() {
      return end.hasBegun;
    },
    get storageProblem() {
      return journal.storageProblem;
    },
    failed: server.failed,
  };
}

/** Everything that the methods of the port and features may use, by name. */
async function serverOf(parts: EngineParts) {
  const { options, state, services, catalog, agents, end } = parts;
  const { roots, journal } = state;
  const begin = (agent: Agent) => {
    agents.push(agent);
    void state.failed.then(() => agent.close());
    if (options.listening === undefined) return agent.begin();
    const failed = (error: unknown) => options.log("error", "a feature could not begin", { error: String(error) });
    options.listening.then(() => agent.begin()).catch(failed);
  };
  const all = { ...options, ...services, ...state, ...parts };
  const shared = { ids: new RunIds(journal.read.newestRunId()), isDraining: () => end.hasBegun };
  const findSamples = await openSamples(all);
  const runs = createRunService({ ...all, ...shared, services: { ...services, findSamples, catalog, roots } });
  return { ...all, ...shared, ...runs, findSamples, actAs: options.actAs ?? (() => undefined), begin };
}

function draftPartsOf({
  drafts: store,
  journal,
  folder,
  downloads,
  commitPublished: commits = false,
  ...server
}: Server) {
  const { read } = journal;
  const nowMs = () => journal.nowMs();
  return { ...server, store, journal, read, nowMs, commits, importsFolder: folder.imports, http: downloads.settings };
}

function importsOf({ journal, ids, folder, maxUploadBytes: maxBytes, limits }: Server) {
  return { journal, ids, importsFolder: folder.imports, runsFolder: folder.runs, maxBytes, limits };
}

/** WES documents may come from hosts of their own. */
function wesHttp({ downloads, options: { wesDocuments } }: Server) {
  return { ...downloads.settings, policy: allowHosts(wesDocuments?.hosts ?? []) };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MIB = 1024 * 1024;

/** The current state of the machine and the queue, with the number of the visible runs. */
async function serverInfo(owner: string | undefined, { journal, scheduler, ...parts }: Server): Promise<ServerStatus> {
  const disk = await statfs(parts.folder.root);
  const { capacity, usage } = scheduler;
  const outcomes = journal.read.outcomesSince(journal.nowMs() - DAY_MS, owner);
  return {
    version: parts.version,
    started_at: new Date(parts.startedMs).toISOString(),
    cores: capacity.cores,
    cores_busy: usage.cores,
    ram_bytes: capacity.ramMib * MIB,
    ram_busy_bytes: usage.ramMib * MIB,
    job_slots: capacity.slots,
    jobs_running: usage.running,
    jobs_waiting: usage.waiting,
    jobs_waiting_for: { ...scheduler.waitingFor() },
    runs_storage_bytes: { ...journal.read.storageTotals() },
    disk_bytes: disk.blocks * disk.bsize,
    disk_free_bytes: disk.bavail * disk.bsize,
    sinks: Object.keys(parts.sinks.folders).toSorted(),
    run_counts: { ...journal.read.stateCounts(owner) },
    ended_last_24h: {
      success: outcomes["success"] ?? 0,
      failure: outcomes["failure"] ?? 0,
      canceled: outcomes["canceled"] ?? 0,
      partial: outcomes["partial"] ?? 0,
    },
    last_seq: journal.lastSeq,
    draining: parts.isDraining(),
    storage: journal.storageProblem ?? "ok",
  };
}
