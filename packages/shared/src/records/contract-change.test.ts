import assert from "node:assert/strict";
import { it } from "node:test";
import { changesSince, compareReleases, CONTRACT_CHANGES, RELEASE } from "./contract-change.ts";

it("releases are ordered by their numbers", () => {
  const order = ["0.1.0", "0.2.0", "0.10.0", "1.0.0", "1.0.1"];
  for (const [index, release] of order.entries())
    for (const [other, against] of order.entries())
      assert.equal(Math.sign(compareReleases(release, against)), Math.sign(index - other));
  assert.equal(compareReleases("1.0.0-rc.1", "1.0.0"), 0);
});

it("a client gets the changes after its version", () => {
  assert.deepEqual(
    changesSince("0.1.0"),
    CONTRACT_CHANGES.filter(({ version }) => version !== "0.1.0"),
  );
  assert.deepEqual(changesSince("999.0.0"), []);
});

it("the changes are in the order of their versions", () => {
  for (const { version, text } of CONTRACT_CHANGES) {
    assert.match(version, RELEASE);
    assert.match(text, /\.$/);
  }
  const versions = CONTRACT_CHANGES.map(({ version }) => version);
  assert.deepEqual(versions, versions.toSorted(compareReleases));
});
