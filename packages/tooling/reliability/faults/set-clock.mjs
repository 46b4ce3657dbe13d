// Loaded into a server by `--import`, by tests alone: its wall clock is ahead of the machine's by the milliseconds that a file holds.
// Steady clocks stay as they are, as they do when a machine's clock is set.
import { readFileSync } from "node:fs";

const RealDate = Date;
const file = process.env.WEFT_CLOCK_FILE;
const READ_EVERY_NS = 5_000_000n;
let offsetMs = 0;
let readAt = 0n;

function now() {
  const at = process.hrtime.bigint();
  if (at - readAt > READ_EVERY_NS) {
    offsetMs = Number(readFileSync(file, "utf8"));
    readAt = at;
  }
  return RealDate.now() + offsetMs;
}

if (file !== undefined) {
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(now());
      else super(...args);
    }

    static now() {
      return now();
    }
  };
}
