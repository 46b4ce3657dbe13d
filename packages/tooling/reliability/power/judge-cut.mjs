import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { FaultSite } from "../faults/fault-site.mjs";
import { endFaults } from "../judge-crash.mjs";
import { allEvents } from "../server-process.mjs";
import { command } from "./recorded-disk.mjs";

/** Mounts the disk as a power cut left it, and starts a server there. Returns a sentence for each fact that no longer holds. */
export async function judgeCut(image, folder, { facts, position }) {
  const mountPoint = join(folder, "after");
  mkdirSync(mountPoint, { recursive: true });
  const loop = command("losetup", "--find", "--show", image);
  let site;
  try {
    command("mount", loop, mountPoint);
    site = new FaultSite(join(mountPoint, "state"));
    await site.start();
    const known = Object.fromEntries(
      Object.entries(facts).map(([kind, all]) => [kind, all.filter(({ at }) => at <= position)]),
    );
    const faults = [...(await runFaults(site, known)), ...(await eventFaults(site, known))];
    const { code, errors } = await site.server.stop("SIGTERM");
    return code === 0 ? faults : [...faults, `the server ended with ${code}: ${errors}`];
  } finally {
    await site?.close();
    command("umount", "-l", mountPoint);
    command("losetup", "-d", loop);
  }
}

async function runFaults(site, { created, final }) {
  const faults = [];
  const ends = new Map(final.map((end) => [end.runId, end]));
  for (const { runId } of created) {
    if ((await site.statusOf(`/api/runs/${runId}`)) !== 200) faults.push(`the run ${runId} is lost`);
    else faults.push(...(await endFaultsOf(site, runId, ends.get(runId))));
  }
  return faults;
}

/** Every run must end; a run that had ended before must be unchanged, and its output must have the recorded bytes. */
async function endFaultsOf(site, runId, before) {
  const { state, outputs } = await site.untilFinal(runId);
  if (before === undefined) return [];
  if (state !== before.state) return [`the state of the run ${runId} changed from ${before.state} to ${state}`];
  if (before.checksum === undefined) return [];
  const answer = await fetch(new URL(outputs.text.location, site.address));
  const sha1 = createHash("sha1").update(Buffer.from(await answer.arrayBuffer()));
  const isUnchanged = outputs.text.checksum === before.checksum && before.checksum === `sha1$${sha1.digest("hex")}`;
  return isUnchanged ? [] : [`the output of ${runId} has changed (${answer.status})`];
}

async function eventFaults(site, { heard }) {
  const events = await allEvents(site.address);
  const texts = new Map(events.map((event) => [event.seq, JSON.stringify(event)]));
  const changed = heard.filter(({ seq, text }) => texts.get(seq) !== text);
  return [
    ...changed.map(({ seq }) => `event ${seq} was received before the cut, and is lost or changed`),
    ...endFaults({ events }),
  ];
}
