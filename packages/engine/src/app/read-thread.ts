import { workerData } from "node:worker_threads";
import { createLinks } from "@weft/shared/links.ts";
import { serveTasks } from "../async/thread-pool.ts";
import type { Asked } from "../read/read-pool.ts";
import { openReading, type ReadData } from "../read/reading.ts";
import { LOG_FEATURES, openReadTasks } from "./features.ts";

const reading = openReading(workerData as ReadData, LOG_FEATURES); // started by open-engine.ts
const opened = new Map<string, ReturnType<typeof openReadTasks>>();

serveTasks(async ({ feature, base, ...caller }: Asked) => {
  const tasksFor = opened.get(feature) ?? openReadTasks(feature, reading);
  opened.set(feature, tasksFor);
  return (await tasksFor)({ ...caller, links: createLinks(base) });
});
