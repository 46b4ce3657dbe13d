import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { effectiveRequirements } from "@weft/cwl/model/effective-requirements.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import { CONTAINER_KINDS, type ContainerKind, type ContainerSetting } from "@weft/shared/records/container-record.ts";
import { Containers } from "./containers.ts";
import { FakeEngine } from "./testing/fake-engine.ts";

const DOCKER: Requirement = { class: "DockerRequirement", dockerPull: "debian" };
const required = effectiveRequirements([{ requirements: [DOCKER], hints: [] }]);
const hinted = effectiveRequirements([{ requirements: [], hints: [DOCKER] }]);
const WISH = { tool: "smooth", image: "debian", isRequired: true };
const going = new AbortController().signal;
const silent = { onFetch: async () => {}, signal: going };

/** Only the engines of `working` work. */
function open(setting: ContainerSetting, working: readonly ContainerKind[], passesOver = false) {
  const engines = new Map(CONTAINER_KINDS.map((kind) => [kind, new FakeEngine(kind)]));
  const engineOf = (kind: ContainerKind) => engines.get(kind) ?? new FakeEngine(kind);
  for (const kind of CONTAINER_KINDS)
    if (!working.includes(kind)) engineOf(kind).health = { works: false, why: "is not installed" };
  const clock = { ms: 0 };
  const containers = new Containers({ setting, engineOf, log: () => {}, passesOver, now: () => clock.ms });
  return { containers, engineOf, clock };
}

/** A choice with an engine, or a failed test. */
async function chosen(containers: Containers) {
  const choice = await containers.choose(required);
  assert.ok(choice?.engine !== undefined);
  return choice;
}

/** Docker as the choice for a job. */
async function docker() {
  const { containers, engineOf, clock } = open("docker", ["docker"]);
  return { containers, engine: engineOf("docker"), clock, choice: await chosen(containers) };
}

describe("choose", () => {
  const cases: readonly [ContainerSetting, readonly ContainerKind[], ContainerKind | undefined][] = [
    ["auto", ["docker", "podman"], "docker"],
    ["auto", ["podman", "apptainer"], "podman"],
    ["auto", ["singularity"], "singularity"],
    ["auto", [], undefined],
    ["podman", ["docker", "podman"], "podman"],
    ["podman", ["docker"], undefined],
    ["none", ["docker"], undefined],
  ];
  for (const [setting, working, expected] of cases)
    it(`takes ${expected ?? "none"} for ${setting} if ${working.join(" and ") || "none"} works`, async () => {
      const choice = await open(setting, working).containers.choose(hinted);
      assert.equal(choice?.engine?.kind, expected);
    });

  it("probes no engine before a tool requests a container", async () => {
    const { containers, engineOf } = open("auto", ["docker"]);
    assert.equal(await containers.choose(effectiveRequirements([])), undefined);
    assert.deepEqual(await containers.review([]), { warnings: [] });
    assert.equal(engineOf("docker").probes, 0);
  });

  it("fails a job that requires a missing container engine, naming the attempts", async () => {
    await assert.rejects(open("auto", []).containers.choose(required), {
      code: "UNSUPPORTED",
      message: /debian, but no container engine works here \(docker is not installed; podman is not/,
    });
  });

  it("ignores a requirement for a user at a command line, but not a named engine", async () => {
    const lenient = open("auto", [], true).containers;
    assert.equal((await lenient.choose(required))?.engine, undefined);
    const said = await lenient.review([WISH]);
    assert.match(said.warnings.join(), /^smooth requests .*, but runs without it/);
    const named = open("podman", [], true).containers;
    await assert.rejects(named.choose(required), /requires the container image debian/);
    assert.match((await named.review([WISH])).refusal ?? "", /requires the container image debian/);
  });

  it("probes a failed engine again after a while, and keeps a working one", async () => {
    const { containers, engineOf, clock } = open("docker", []);
    await containers.choose(hinted);
    engineOf("docker").health = { works: true, version: "1" };
    assert.equal((await containers.choose(hinted))?.engine, undefined);
    clock.ms = 60_000;
    await chosen(containers);
    clock.ms = 3_600_000;
    await chosen(containers);
    assert.equal(engineOf("docker").probes, 2);
  });
});

describe("review", () => {
  const cases: readonly [ContainerSetting, readonly ContainerKind[], boolean, refusal: RegExp, warning: RegExp][] = [
    ["auto", ["podman"], true, /^$/, /^$/],
    ["auto", [], true, /^smooth requires the container image debian, but no container engine works here/, /^$/],
    ["auto", [], false, /^$/, /^smooth requests .*, but runs without it, .* no container engine works/],
    ["none", ["podman"], true, /^$/, /^smooth requests .*turned off \(--no-container\)$/],
  ];
  for (const [setting, working, isRequired, refusal, warning] of cases)
    it(`reports ${setting} with ${working.join() || "none"} for a ${isRequired ? "requirement" : "hint"}`, async () => {
      const said = await open(setting, working).containers.review([{ ...WISH, isRequired }]);
      assert.match(said.refusal ?? "", refusal);
      assert.match(said.warnings.join(), warning);
    });
});

describe("prepare", () => {
  it("does not repeatedly request a missing digest from a registry", async () => {
    const { containers, engine, clock, choice } = await docker();
    engine.arrival = Promise.reject(new CwlFailure("STAGE_IN", "manifest unknown"));
    const pinned = { ...choice, source: { ...choice.source, digest: "sha256:1" } };
    for (const _ of [1, 2]) await assert.rejects(containers.prepare(pinned, silent), { message: "manifest unknown" });
    assert.equal(engine.fetches, 1);
    clock.ms += 60_000;
    await assert.rejects(containers.prepare(pinned, silent), { message: "manifest unknown" });
    assert.equal(engine.fetches, 2);
    engine.arrival = Promise.resolve();
    assert.equal((await containers.prepare(choice, silent)).name, "debian");
  });

  it("fetches an image once for all waiting jobs, and notifies each", async () => {
    const { containers, engine, choice } = await docker();
    const arrival = Promise.withResolvers<void>();
    engine.arrival = arrival.promise;
    let requests = 0;
    const onFetch = async () => {
      requests += 1;
      if (requests === 2) arrival.resolve();
    };
    const waiting = [1, 2].map(() => containers.prepare(choice, { onFetch, signal: going }));
    const images = [...(await Promise.all(waiting)), await containers.prepare(choice, silent)];
    for (const { reference } of images) assert.equal(reference, "id-of-debian");
    assert.deepEqual([requests, engine.fetches], [2, 1]);
  });

  it("checks again for an image that may have been removed", async () => {
    const { containers, engine, clock, choice } = await docker();
    engine.images.add("debian");
    await containers.prepare(choice, silent);
    engine.images.clear();
    clock.ms = 60_000;
    await containers.prepare(choice, silent);
    assert.equal(engine.fetches, 1);
  });

  it("releases a job that is stopped while it waits, and stops the fetch with the last waiting job", async () => {
    const { containers, engine, choice } = await docker();
    engine.arrival = new Promise(() => {});
    const stops = [new AbortController(), new AbortController()];
    const waiting = stops.map(({ signal }) => containers.prepare(choice, { onFetch: async () => {}, signal }));
    const given: number[] = [];
    for (const [index, stop] of stops.entries()) {
      stop.abort(new Error("stopped"));
      await assert.rejects(waiting[index] ?? Promise.resolve(), /stopped/);
      given.push(engine.stops);
    }
    assert.deepEqual(given, [0, 1]);
  });
});
