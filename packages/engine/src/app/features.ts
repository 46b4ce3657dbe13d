import { AUTOMATIONS } from "../automate/fold-automations.ts";
import { SAVED_QUERIES } from "../datasets/queries-table.ts";
import type { Tasks } from "../async/thread-pool.ts";
import type { LogFeature } from "../journal/log-feature.ts";
import { NOTIFICATIONS } from "../notify/fold-notifications.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { FindSamples } from "../port/engine.ts";
import type { RouteMethods } from "../port/route-methods.ts";
import type { Caller } from "../port/caller.ts";
import type { Reading, ReadTasks } from "../read/reading.ts";
import { REVIEWS } from "../reviews/reviews-table.ts";
import { LAST_TESTS } from "../tests/tests-table.ts";
import type { EngineParts, Server } from "./engine-port.ts";

type SampleParts = Pick<EngineParts, "catalog" | "reads"> & Pick<EngineParts["services"], "journal">;

interface Feature {
  /** The name by which its methods ask the read pool. */
  readonly name?: string;
  /** Tables, and their folds. */
  readonly log?: LogFeature;
  /** Returns the methods. The threads that write and read the log do not load them. */
  readonly open?: (server: Server) => Promise<RouteMethods>;
  /** Runs queries of datasets for new runs. */
  readonly samples?: (parts: SampleParts) => Promise<FindSamples>;
  /** Answers that a thread of the read pool builds. Such a thread loads them when it is first asked for one. */
  readonly tasks?: () => Promise<ReadTasks>;
}

/** Each feature is a folder and an entry here. */
const FEATURES: readonly Feature[] = [
  {
    name: "datasets",
    log: SAVED_QUERIES,
    open: async (server) => (await import("../datasets/dataset-methods.ts")).datasetMethods(server),
    samples: async (parts) => (await import("../datasets/dataset-methods.ts")).samplesOf(parts),
    tasks: async () => (await import("../datasets/dataset-tasks.ts")).datasetTasks,
  },
  { log: REVIEWS, open: async (server) => (await import("../reviews/review-methods.ts")).reviewMethods(server) },
  { log: LAST_TESTS, open: async (server) => (await import("../tests/test-methods.ts")).openTests(server) },
  {
    log: AUTOMATIONS,
    open: async (server) => (await import("../automate/automation-methods.ts")).openAutomations(server),
  },
  {
    log: NOTIFICATIONS,
    open: async (server) => (await import("../notify/notification-methods.ts")).openNotifications(server),
  },
  {
    name: "insight",
    open: async (server) => (await import("../insight/insight-methods.ts")).insightMethods(server),
    tasks: async () => (await import("../insight/insight-tasks.ts")).insightTasks,
  },
  {
    name: "operations",
    open: async (server) => (await import("../operations/operations-methods.ts")).operationsMethods(server),
    tasks: async () => (await import("../operations/operations-tasks.ts")).operationsTasks,
  },
  {
    name: "provenance",
    open: async (server) => (await import("../provenance/provenance-methods.ts")).openProvenance(server),
    tasks: async () => (await import("../provenance/provenance-tasks.ts")).provenanceTasks,
  },
  {
    name: "results",
    open: async (server) => (await import("../table/result-methods.ts")).resultMethods(server),
    tasks: async () => (await import("../table/result-tasks.ts")).resultTasks,
  },
  { name: "runs", tasks: async () => (await import("../runs/run-tasks.ts")).runTasks },
  { open: async (server) => (await import("../bundle/job-bundle.ts")).bundleMethods(server.services) },
  { open: async (server) => (await import("../bundle/outputs-archive.ts")).archiveMethods(server) },
  { open: async (server) => (await import("../retention/retention.ts")).openRetention(server) },
];

/** The tables of all features. */
export const LOG_FEATURES: readonly LogFeature[] = FEATURES.flatMap(({ log }) => log ?? []);

/** Opens all features, and returns their methods. */
export async function openFeatures(server: Server): Promise<RouteMethods> {
  const opened = await Promise.all(FEATURES.map(async ({ open }) => (await open?.(server)) ?? {}));
  return opened.reduce((all, methods) => ({ ...all, ...methods }));
}

/** Finds the samples of new runs; refuses their datasets if no feature does. */
export async function openSamples(parts: SampleParts): Promise<FindSamples> {
  const found = await FEATURES.find(({ samples }) => samples !== undefined)?.samples?.(parts);
  return found ?? (() => Promise.reject(new Refusal("invalid-body", "This server has no datasets.")));
}

/** The tasks of a feature in a thread of the read pool, for one caller each time. */
export async function openReadTasks(feature: string, reading: Reading): Promise<(caller: Caller) => Tasks> {
  const tasks = await FEATURES.find(({ name }) => name === feature)?.tasks?.();
  if (tasks === undefined) throw new Error(`no feature ${feature} has tasks`);
  return tasks(reading);
}
