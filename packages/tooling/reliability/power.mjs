// npx node packages/tooling/reliability/power.mjs [--cuts N] [--seconds N] [--seed N]: keeps a server busy on a disk that records what
// it receives, then cuts the power at random moments of the recording. A cut loses any part of the writes that were not synced,
// in any order. The server must start from each disk, and everything that it had acknowledged must still be true.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { numbersFrom } from "./command-numbers.mjs";
import { FaultSite } from "./faults/fault-site.mjs";
import { onPinnedNode } from "./on-pinned-node.mjs";
import { keepBusy } from "./power/busy-server.mjs";
import { judgeCut } from "./power/judge-cut.mjs";
import { RecordedDisk } from "./power/recorded-disk.mjs";
import { CutDisk, readLog } from "./power/write-log.mjs";
import { randomFrom } from "./random-from.mjs";

const SIZE_BYTES = 256 * 1024 ** 2;

onPinnedNode();
const { cuts, seconds, seed } = numbersFrom(process.argv.slice(2), { cuts: 20, seconds: 15, seed: 1 });
if (process.platform !== "linux" || process.getuid() !== 0 || !existsSync("/dev/fuse")) {
  console.log("power: skipped: it needs Linux, root and /dev/fuse");
} else {
  const folder = mkdtempSync(join(tmpdir(), "weft-power-"));
  try {
    process.exitCode = (await cutPower(folder)) === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function cutPower(folder) {
  const { records, facts, startedAt } = await recordWork(folder);
  const random = randomFrom(seed);
  const last = records.at(-1).end;
  const positions = Array.from({ length: cuts }, () => Math.floor(startedAt + random() * (last - startedAt)));
  const disk = new CutDisk(records, { path: join(folder, "synced"), sizeBytes: SIZE_BYTES, random });
  const faults = [];
  let lost = 0;
  for (const position of positions.toSorted((a, b) => a - b)) {
    const image = join(folder, "cut");
    lost += disk.cutTo(image, position);
    const found = await judgeCut(image, folder, { facts, position }).catch((error) => [String(error)]);
    faults.push(...found.map((fault) => `after ${position} bytes: ${fault}`));
    rmSync(image);
  }
  const syncs = records.filter(({ data }) => data.length === 0).length;
  console.log(`power: ${cuts} cuts (seed ${seed}) in ${records.length} writes and syncs, of which ${syncs} syncs`);
  console.log(`power: ${lost} sectors lost; ${facts.created.length} runs, ${facts.heard.length} events heard`);
  console.log(`power: ${faults.length} faults`);
  for (const fault of faults.slice(0, 20)) console.log(`power: fault: ${fault}`);
  return faults.length;
}

async function recordWork(folder) {
  const disk = new RecordedDisk(folder, SIZE_BYTES);
  let site;
  try {
    await disk.mount();
    site = new FaultSite(join(disk.mountPoint, "state"));
    await site.start();
    const startedAt = disk.position();
    const { facts, stop } = await keepBusy(site, { seconds, position: () => disk.position() });
    await stop();
    return { records: readLog(disk.log), facts, startedAt };
  } finally {
    await site?.close();
    disk.close();
  }
}
