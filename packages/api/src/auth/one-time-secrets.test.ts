import assert from "node:assert/strict";
import { test } from "node:test";
import { OneTimeSecrets } from "./one-time-secrets.ts";

test("a secret opens once and in time", () => {
  let now = 0;
  const secrets = new OneTimeSecrets<string>({ lifeMs: 100, now: () => now, limit: 2 });
  const secret = secrets.issue("door");
  assert.match(secret, /^[A-Za-z0-9_-]{43}$/);
  const found = [secrets.redeem(secret), secrets.redeem(secret), secrets.redeem("other")];
  assert.deepEqual(found, ["door", undefined, undefined]);
  const late = secrets.issue("door");
  now = 100;
  assert.equal(secrets.redeem(late), undefined);
});

test("the oldest secret is dropped when there are too many", () => {
  const secrets = new OneTimeSecrets<number>({ lifeMs: 100, now: () => 0, limit: 2 });
  const issued = [1, 2, 3].map((what) => secrets.issue(what));
  const found = issued.map((secret) => secrets.redeem(secret));
  assert.deepEqual(found, [undefined, 2, 3]);
});
