import { workerData } from "node:worker_threads";
import { createLinks } from "@weft/shared/links.ts";
import { serveTasks } from "../../async/thread-pool.ts";
import type { SentCaller } from "./read-pool.ts";
import { openReadTasks } from "./read-tasks.ts";
import type { ReadData } from "./read-tasks.ts";

const tasksFor = openReadTasks(workerData as ReadData); // started by read-pool.ts

serveTasks(({ base, ...caller }: SentCaller) => tasksFor({ ...caller, links: createLinks(base) }));
