import type { ClusterTask } from "./slurm-cluster.ts";

/** Tasks that have not ended, as `squeue --format` prints them. */
export function queueLines(tasks: readonly ClusterTask[]): string {
  return tasks
    .map(({ array, index, state, name }) => {
      const node = state === "RUNNING" ? "n1" : "";
      return `${array}|${index}|${state}|${state === "RUNNING" ? "None" : "Priority"}|${node}|${name}\n`;
    })
    .join("");
}

/** All tasks in columns, as `squeue --states=all --Format` prints them. */
export function endLines(tasks: readonly ClusterTask[]): string {
  return tasks
    .map(({ index, state, exitCode, name }) => {
      const cells = [String(index).padEnd(24), state.padEnd(24), `${exitCode}:0`.padEnd(12), "n1".padEnd(64)];
      return `${cells.join("")}${name.padEnd(128)}\n`;
    })
    .join("");
}
