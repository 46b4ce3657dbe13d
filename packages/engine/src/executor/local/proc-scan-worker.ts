import { serveTasks } from "../../async/thread-pool.ts";
import { jobProcesses } from "../kill/job-processes.ts";
import { treeUse } from "../usage/tree-use.ts";

const tasks = { find: jobProcesses, use: treeUse };

/** Functions by name. */
export type ScanTasks = typeof tasks;

serveTasks(() => tasks);
