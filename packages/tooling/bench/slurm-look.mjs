// Queries Slurm's queue as the executor does and prints the cost. Argument: the expected number of jobs.
import { userInfo } from "node:os";
import { SlurmClient } from "@weft/engine/executor/slurm/slurm-client.ts";
import { DEFAULT_SLURM } from "@weft/engine/executor/slurm/slurm-settings.ts";
import { runProgram } from "@weft/engine/executor/run-program.ts";
import { median } from "./measure.mjs";

const client = new SlurmClient(DEFAULT_SLURM, runProgram, String(userInfo().uid));
const times = [];
const own = [];
for (let look = 0; look < 11; look++) {
  const [startMs, before] = [performance.now(), process.cpuUsage()];
  const queue = await client.queue();
  if (queue.length !== Number(process.argv[2])) throw new Error(`the queue holds ${queue.length ?? queue.failure}`);
  const { user, system } = process.cpuUsage(before);
  times.push(performance.now() - startMs);
  own.push((user + system) / 1000);
}
console.log(`${median(times).toFixed(1)} ms, ${median(own).toFixed(1)} ms of them processor time of Weft`);
