// node append-a-run.mjs DATABASE: appends the events of a small run through the journal, as a server does, and prints the
// number of each as soon as it is reported durable. Repeats refused requests, as a user would, unless the disk has failed.
import { openLog } from "@weft/engine/app/open-log.ts";
import { setTimeout as pause } from "node:timers/promises";
import { runEvents } from "../run-events.mjs";

const AGAIN_MS = 50;
const journal = await openLog(process.argv[2], "full");
for (const event of runEvents({ runId: "run-1", jobs: 3 })) await append(event);
await journal.close();

async function append(event) {
  for (;;) {
    try {
      const [recorded] = await journal.append([event]);
      console.log(recorded?.seq ?? "late");
      return;
    } catch (error) {
      if (error.code !== "disk-full") throw error;
      await pause(AGAIN_MS);
    }
  }
}
