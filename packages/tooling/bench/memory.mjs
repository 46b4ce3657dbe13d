import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scatterNetwork } from "./scatter-network.mjs";
import { startInstalled } from "./measure.mjs";

const JOBS = 1000;
const RUNS = 5;

/** Measures a server's memory after more and more finished jobs: it must not grow with their number. Requires /proc. */
export async function benchMemory(folder) {
  if (process.platform !== "linux")
    return console.log("memory of the server: not measured, because this system has no /proc");
  const network = join(folder, "catalog/networks/scatter");
  mkdirSync(network, { recursive: true });
  writeFileSync(join(network, "scatter.cwl"), JSON.stringify(scatterNetwork()));
  const server = await startInstalled(["--state", join(folder, "memory"), "--catalog", join(folder, "catalog")]);
  const numbers = Array.from({ length: JOBS }, (_, index) => index);
  const sizes = [];
  for (let run = 0; run < RUNS; run++) {
    await server.runToEnd({ network: "scatter", inputs: { numbers } });
    sizes.push(residentMib(server.pid));
  }
  await server.stop();
  const ratio = (sizes.at(-1) / sizes[0]).toFixed(2);
  console.log(
    `memory of the server after ${RUNS * JOBS} jobs / after ${JOBS}: ${ratio} (${sizes.map((mib) => mib.toFixed(0)).join(", ")} MiB)`,
  );
}

function residentMib(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}
