import { workerData } from "node:worker_threads";
import { createLinks } from "@weft/shared/links.ts";
import { serveTasks } from "../async/thread-pool.ts";
import type { SentCaller } from "../services/read/read-pool.ts";
import { openReadTasks } from "../services/read/read-tasks.ts";
import type { ReadData } from "../services/read/read-tasks.ts";
import { LOG_FEATURES } from "./features.ts";

const tasksFor = openReadTasks(workerData as ReadData, LOG_FEATURES); // started by open-engine.ts

serveTasks(({ base, ...caller }: SentCaller) => tasksFor({ ...caller, links: createLinks(base) }));
