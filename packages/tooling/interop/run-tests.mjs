import { run } from "node:test";

/**
 * Runs a test file; each of its tests is a check. `prefix`: the subject of its tests. `nesting`: depth of the tests that count
 * (0: not in a suite). `wanted`: leaves out tests whose name it does not match.
 */
export async function testChecks(file, { prefix = "", nesting = 1, wanted = /./ } = {}) {
  const results = [];
  const stream = run({ files: [file], forceExit: true, timeout: 600_000 });
  const add = (result) => (test) => {
    if (test.nesting !== nesting || !wanted.test(test.name) || test.details?.type === "suite") return;
    const { name: what, skip, details } = test;
    const note = details?.error?.cause?.message?.split("\n")[0] ?? skip;
    results.push({ what: `${prefix}${what}`, result: skip === undefined ? result : "not run", note });
  };
  stream.on("test:pass", add("works"));
  stream.on("test:fail", add("fails"));
  stream.resume();
  await new Promise((resolve) => stream.once("end", resolve));
  return results;
}

/** The last word on the first line that a command prints, its version; undefined if it is not installed. */
export function printedVersion({ status, stdout }) {
  return status === 0 ? stdout.split("\n", 1)[0].trim().split(" ").at(-1) : undefined;
}
