// Tests load this into a server by `--import`: its wall clock is ahead of the machine's by the milliseconds that a file holds.
// Steady clocks stay as they are, as they do when a machine's clock is set.
import { readFileSync } from "node:fs";

const RealDate = Date;
const file = process.env.WEFT_CLOCK_FILE;
const READ_EVERY_NS = 5_000_000n;
let offsetMs = 0;
let readAtNs = 0n;

function now() {
  const nowNs = process.hrtime.bigint();
  if (nowNs - readAtNs > READ_EVERY_NS) {
    offsetMs = Number(readFileSync(file, "utf8"));
    readAtNs = nowNs;
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
