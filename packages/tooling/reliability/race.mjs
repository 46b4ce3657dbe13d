// npx node packages/tooling/reliability/race.mjs [--races N]: starts two servers at the same moment on one state folder,
// repeatedly. One must serve, and the other must exit with 78 and name the first; the winner is killed, so that the next race
// finds the folder as a crash leaves it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { numbersFrom } from "./command-numbers.mjs";
import { writeCrashCatalog } from "./crash-network.mjs";
import { onPinnedNode } from "./on-pinned-node.mjs";
import { launchServer } from "./server-process.mjs";

onPinnedNode();
const { races } = numbersFrom(process.argv.slice(2), { races: 50 });
const folder = mkdtempSync(join(tmpdir(), "weft-race-"));
const args = ["--state", join(folder, "state"), "--catalog", writeCrashCatalog(folder)];
const faults = [];

try {
  for (let race = 1; race <= races; race++) faults.push(...(await raceOnce()).map((fault) => `race ${race}: ${fault}`));
  console.log(`race: ${races} races of two servers for one state folder`);
  console.log(`race: ${faults.length} faults`);
  for (const fault of faults.slice(0, 20)) console.log(`race: fault: ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function raceOnce() {
  const servers = [launchServer(args), launchServer(args)];
  const settled = await Promise.allSettled(servers.map(({ address }) => address));
  const winners = servers.filter((_, index) => settled[index].status === "fulfilled");
  const losers = servers.filter((server) => !winners.includes(server));
  const ends = await Promise.all(losers.map(({ exit }) => exit));
  const pids = winners.map(({ pid }) => pid);
  await Promise.all(winners.map((server) => server.stop("SIGKILL")));
  if (winners.length !== 1) return [`${winners.length} servers won`, ...ends.map(({ errors }) => errors)];
  return ends.flatMap(({ code, errors }) => [
    ...(code === 78 ? [] : [`the other ended with ${code}`]),
    ...(errors.includes(`process (${pids[0]})`) ? [] : [`${pids[0]} won, and the other reported: ${errors}`]),
  ]);
}
