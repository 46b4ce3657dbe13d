// Reads the words after `npm run bench --`: names of parts, and options that some of the parts use.
import { parseArgs } from "node:util";

/** `--only` names the runners of the part `jobs`, or the subjects of `growth`; undefined: all of them. */
export function readOptions(argv) {
  const options = {
    rounds: { type: "string", default: "5" },
    jobs: { type: "string", default: "1000" },
    percent: { type: "string", default: "100" },
    only: { type: "string" },
    record: { type: "boolean", default: false },
  };
  const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true });
  return {
    parts: positionals,
    rounds: wholeNumber("rounds", values.rounds),
    jobs: wholeNumber("jobs", values.jobs),
    percent: wholeNumber("percent", values.percent),
    only: values.only?.split(","),
    record: values.record,
  };
}

function wholeNumber(name, text) {
  if (/^[1-9]\d*$/u.test(text)) return Number(text);
  throw new Error(`--${name} takes a whole number of at least 1, not "${text}"`);
}
