import { parentPort } from "node:worker_threads";
import { installSimulatedNode } from "./machine/install.ts";
import type { SeedAnswer, SeedRequest } from "./run-seeds.ts";

const port = parentPort;
if (port === null) throw new Error("seed-worker runs only in a worker thread");
installSimulatedNode();
// Imported only now, so that the engine gets the simulated modules.
const { simulateSeed } = await import("./simulate-seed.ts");
const { shrink } = await import("./shrink.ts");
const answer = (message: SeedAnswer) => port.postMessage(message);

port.on("message", (request: SeedRequest) => {
  answerTo(request).then(answer, (error: unknown) =>
    answer({ error: error instanceof Error ? String(error.stack) : String(error) }),
  );
});

async function answerTo(request: SeedRequest): Promise<SeedAnswer> {
  if ("shrink" in request) return { shrunk: await shrink(await simulateSeed(request.shrink)) };
  const { from, count, suppressed = [], stopsEarly = false } = request;
  const broken = [];
  let first: string | undefined;
  for (let seed = from; seed < from + count; seed += 1) {
    const outcome = await simulateSeed(seed, new Set(suppressed));
    first ??= outcome.digest;
    if (outcome.violation === undefined) continue;
    broken.push({ seed, ...outcome.violation });
    if (stopsEarly) return { from, count: seed - from + 1, broken };
  }
  // Simulates the first world again, because a seed must have one history.
  const again = count === 0 ? undefined : await simulateSeed(from, new Set(suppressed));
  if (again !== undefined && again.digest !== first)
    broken.push({ seed: from, invariant: "a seed has one history", message: `${first} and ${again.digest}` });
  return { from, count, broken };
}
