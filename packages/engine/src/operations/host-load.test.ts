import assert from "node:assert/strict";
import { it } from "node:test";
import { averageOf, busyCores, HostLoad } from "./host-load.ts";

it("calculates busy cores from the times of the processors", () => {
  const before = { busyMs: 1000, allMs: 10_000, cores: 4 };
  assert.equal(busyCores(before, { busyMs: 3000, allMs: 14_000, cores: 4 }), 2);
  assert.equal(busyCores(before, before), 0, "no time has passed");
});

it("averages samples, and returns null without any", () => {
  const sample = { timeMs: 0, busyCores: 1, ramBytes: 100 };
  assert.deepEqual(averageOf([sample, { ...sample, busyCores: 2, ramBytes: 300 }]), { cores: 1.5, ram_bytes: 200 });
  assert.equal(averageOf([]), null);
});

it("takes a sample each half minute, and keeps at most those of one day", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let nowMs = 0;
  const load = new HostLoad(() => nowMs);
  load.begin();
  const HOURS_30 = 30 * 120;
  for (let index = 0; index < HOURS_30; index++) {
    nowMs += 30_000;
    t.mock.timers.tick(30_000);
  }
  const host = load.averages(0, 3_600_000, 31);
  assert.equal(host[0], null, "older than a day");
  assert.ok(host.slice(7, 30).every((entry) => entry !== null && entry.ram_bytes > 0));
  void load.close();
});
