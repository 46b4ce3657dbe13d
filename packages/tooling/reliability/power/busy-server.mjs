// Keeps a server busy and collects what it reports meanwhile: facts that a power cut must not undo.
import { setTimeout as pause } from "node:timers/promises";
import { hearEvents } from "../server-process.mjs";

/** Jobs that end soon and leave outputs of various sizes, some for the cache; the last one fails. */
const SCRIPTS = [
  (round) => `head -c ${1 + ((round * 7919) % 300_000)} /dev/urandom | base64`,
  (round) => `echo ${round}; sleep 0.2`,
  () => "echo always the same",
  (round) => `seq ${1000 + round}; exit ${round % 2}`,
];
/** Every run whose number is a multiple of this is aborted. */
const ABORT_EVERY = 5;
const AT_ONCE = 4;

/**
 * Collects facts with the disk position at which each became known: `created`, `final` and `heard`. `position` returns how
 * much the disk has received so far.
 */
export async function keepBusy(site, { seconds, position }) {
  const facts = { created: [], final: [], heard: [] };
  const untilMs = performance.now() + seconds * 1000;
  const receiving = hearEvents(site.address, 0, (event) =>
    facts.heard.push({ seq: event.seq, text: JSON.stringify(event), at: position() }),
  );
  let round = 0;
  const work = async () => {
    while (performance.now() < untilMs) await runOnce(site, { round: round++, facts, position });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { facts, stop: () => site.server.stop("SIGTERM").then(() => receiving) };
}

async function runOnce(site, { round, facts, position }) {
  const options = round % 3 === 0 ? { cache: "use" } : {};
  const runId = await site.run(SCRIPTS[round % SCRIPTS.length](round), { options });
  facts.created.push({ runId, at: position() });
  if (round % ABORT_EVERY === 0) {
    await pause((round * 37) % 200);
    await fetch(`${site.address}/api/runs/${runId}`, { method: "DELETE" });
  }
  const { state, outputs } = await site.untilFinal(runId);
  facts.final.push({ runId, state, checksum: outputs?.text?.checksum, at: position() });
}
