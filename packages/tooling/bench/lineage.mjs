import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pinnedNode } from "../build.mjs";
import { compare, startInstalled } from "./measure.mjs";
import { load } from "./serving.mjs";

const FILL = fileURLToPath(new URL("./fill-lineage.mjs", import.meta.url));
const MANY = 1000;
const FEW = 10;

/** Measures queries about a chain of runs, among many unrelated runs and among few. */
export async function benchLineage(folder) {
  const stores = [MANY, FEW].map((runs) => fill(folder, runs));
  const servers = await Promise.all(stores.map(({ state }) => startInstalled(["--state", state])));
  const addresses = servers.map(({ address }, index) => questions(address, stores[index]));
  for (const name of Object.keys(addresses[0]))
    await compare(
      `${name}: among ${MANY} unrelated runs of 1,000 files / among ${FEW}`,
      () => load(servers[0], addresses[0][name]),
      () => load(servers[1], addresses[1][name]),
    );
  for (const server of servers) await server.stop();
}

function fill(folder, unrelated) {
  const state = join(folder, `lineage-${unrelated}`);
  const { status, stdout } = spawnSync(pinnedNode(), [FILL, state, String(unrelated)], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the store could not be filled: ${status}`);
  return { state, ...JSON.parse(stdout) };
}

function questions(address, { run, checksum, sha256, name }) {
  const files = `${address}/api/provenance/files`;
  return {
    "who made and read a content, by SHA-1": `${files}?checksum=${encodeURIComponent(checksum)}`,
    "the same by SHA-256": `${files}?checksum=${sha256}`,
    "files by a part of their name": `${files}?q=${name}`,
    "outputs of a run": `${files}?run=${run}&scope=run&direction=output`,
    "files of a tool of a run": `${files}?run=${run}&tool=smooth&version=1.0.0`,
    "lineage of a run, 1 run far": `${address}/api/runs/${run}/lineage?depth=1`,
    "lineage of a run, 5 runs far": `${address}/api/runs/${run}/lineage?depth=5`,
  };
}
