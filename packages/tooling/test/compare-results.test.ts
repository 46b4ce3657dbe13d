import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compareResults } from "../conformance/compare-results.mjs";

const of = (id: string, verdict: string, stderr = "", reason = "") => ({ id, verdict, reason, stderr });
const IN_CONTAINER = "[05:00:00.000] main started in podman (debian)\n[05:00:01.000] two started in podman (debian)\n";

describe("compareResults", () => {
  const cases: Readonly<Record<string, readonly [readonly object[], readonly object[], number, RegExp]>> = {
    "finds no difference if both agree": [[of("a", "pass")], [of("a", "pass")], 0, /^slurm +1 +0 +0$/m],
    "names a case that passes here and fails there, with the reason": [
      [of("a", "pass")],
      [of("a", "fail", "", "exit 1")],
      1,
      /1 cases end differently than locally:\n  a: pass → fail exit 1$/,
    ],
    "names a case that fails here and passes there, but does not count it as worse": [
      [of("a", "fail")],
      [of("a", "pass")],
      0,
      /  a: fail → pass$/,
    ],
    "lists which cases ran in which images, each image once": [
      [of("a", "pass"), of("b", "pass")],
      [of("a", "pass", IN_CONTAINER), of("b", "pass")],
      0,
      /\n1 cases ran in containers:\n  a: debian$/,
    ],
    "does not judge a case whose image is not available": [
      [of("a", "pass")],
      [of("a", "fail", "weft: the container image x:1 is not available: no such host")],
      0,
      /^slurm +0 +0 +1\n\n1 cases were not judged, for lack of an image:\n  a: x:1$/m,
    ],
  };
  for (const [name, [here, there, worse, table]] of Object.entries(cases))
    it(name, () => {
      const compared = compareResults(here, there, "slurm");
      assert.equal(compared.worse, worse);
      assert.match(compared.lines.join("\n"), table);
    });
});
