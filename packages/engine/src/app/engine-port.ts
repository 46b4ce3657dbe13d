import { createEventService, momentMethods } from "../access/event-service.ts";
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
import type { EngineParts } from "./engine-parts.ts";
import { openFeatures, openSamples } from "./features.ts";
import { serverInfo } from "./server-info.ts";

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
    serverInfo: () => serverInfo(server),
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
