import { jobBundle } from "../bundle/job-bundle.ts";
import type { EngineDatasets, EngineRuns, RouteMethods } from "../port/engine.ts";
import { automationMethods } from "../automate/automation-methods.ts";
import type { DraftRuns } from "../services/draft-service.ts";
import { insightMethods } from "../services/insight-service.ts";
import { notificationMethods } from "../notify/notification-methods.ts";
import { operationsMethods } from "../services/operations-service.ts";
import { outputsArchive } from "../services/outputs-archive.ts";
import { reviewMethods } from "../reviews/review-methods.ts";
import { testMethods } from "../tests/test-methods.ts";
import { Automator } from "../automate/automator.ts";
import { presentType } from "../catalog/present-type.ts";
import { resolveAll } from "./server-state.ts";
import type { EngineParts } from "./engine-parts.ts";

/** The parts of the core that features use. */
export interface Core {
  readonly runs: EngineRuns;
  readonly datasets: EngineDatasets;
  /** Runs documents that no catalog has. */
  readonly documents: DraftRuns;
}

type Feature = (parts: EngineParts, core: Core) => RouteMethods;

/** The features of a server: a folder each, and a line here. Nothing else imports their methods. */
const FEATURES: readonly Feature[] = [
  ({ state }) => reviewMethods(state.journal),
  ({ state, catalog, notifications }) => notificationMethods({ journal: state.journal, catalog, ...notifications }),
  ({ state, catalog, outputFiles: files }, { documents }) =>
    testMethods({ journal: state.journal, uris: state.roots.uris, catalog, files, runs: documents }),
  ({ state, catalog, services, reads }) =>
    insightMethods({ journal: state.journal, catalog, scheduler: services.scheduler, reads }),
  ({ services, hostLoad, reads }) => operationsMethods({ ...services, hostLoad, reads }),
  automate,
  archiveMethods,
  storageMethods,
];

/** The methods of all features. */
export function featureMethods(parts: EngineParts, core: Core): RouteMethods {
  return FEATURES.reduce<RouteMethods>((all, methods) => ({ ...all, ...methods(parts, core) }), {});
}

function automate(parts: EngineParts, asked: Core): RouteMethods {
  const { state, catalog, notifications, services } = parts;
  const automator = openAutomations(parts, asked);
  const { journal } = state;
  const sinkRoots = Object.keys(services.sinks.folders);
  return automationMethods({ ...asked, journal, catalog, automator, actAs: notifications.actAs, sinkRoots });
}

/** Starts runs by themselves from when the server listens. */
function openAutomations({ options, state, catalog, notifications, agents }: EngineParts, asked: Core): Automator {
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

function archiveMethods({ services, options: { version: weftVersion } }: EngineParts): RouteMethods {
  return {
    "GET /api/runs/{run_id}/outputs.zip": ({ caller, params }) => outputsArchive(caller, params.run_id, services),
    "GET /api/runs/{run_id}/jobs/{job_id}/bundle": ({ caller, params, query }) => {
      const wanted = { runId: params.run_id, jobId: params.job_id, withData: query.data === true };
      return jobBundle(wanted, { services, caller, weftVersion });
    },
  };
}

function storageMethods({ retention, state: { journal } }: EngineParts): RouteMethods {
  return {
    "POST /api/prune": ({ caller: { principal: actor }, body, query: { dry_run: isDryRun = false } }) =>
      retention.prune(body, { actor, isDryRun, nowMs: journal.nowMs() }),
  };
}
