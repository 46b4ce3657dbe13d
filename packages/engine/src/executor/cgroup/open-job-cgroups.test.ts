import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openJobCgroups, ownCgroup, type CgroupSystem } from "./open-job-cgroups.ts";
import { MemoryCgroups } from "./testing/memory-cgroups.ts";

const MOUNT = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw";

describe("ownCgroup", () => {
  const FIRST = "29 1 0:1 / /c rw - cgroup c rw,cpu";
  const cases: Readonly<Record<string, readonly [string, string, base: string | undefined, isDelegated?: boolean]>> = {
    "a service": ["0::/a.slice/weft.service\n", MOUNT, "/sys/fs/cgroup/a.slice/weft.service"],
    "a service with a group for the server": ["0::/weft.service/server\n", MOUNT, "/sys/fs/cgroup/weft.service", true],
    "the first group of a container": ["0::/\n", MOUNT, "/sys/fs/cgroup"],
    "both versions side by side": ["3:cpu:/x\n0::/y\n", `${FIRST}\n30 23 0:26 / /u rw - cgroup2 c rw`, "/u/y"],
    "a part that is mounted at a place with a space": [
      "0::/p/q\n",
      "30 23 0:26 /p /a\\040b rw - cgroup2 c rw",
      "/a b/q",
    ],
    "a group outside of the mount": ["0::/../x\n", MOUNT, undefined],
    "the first version alone": ["3:cpu:/x\n", FIRST, undefined],
    "no /proc": ["", "", undefined],
  };
  for (const [name, [cgroup, mountinfo, base, isDelegated = false]] of Object.entries(cases))
    it(`understands ${name}`, () =>
      assert.deepEqual(ownCgroup(cgroup, mountinfo), base === undefined ? undefined : { base, isDelegated }));
});

describe("openJobCgroups", () => {
  const BASE = "/sys/fs/cgroup/weft.service";
  const FOLDER = `${BASE}/weft-1`;

  function machine(more: Partial<CgroupSystem> = {}, groups: ConstructorParameters<typeof MemoryCgroups>[0] = {}) {
    const kernel = new MemoryCgroups({ [BASE]: {}, ...groups });
    const entered: string[] = [];
    const enter = async (path: string) => entered.push(path) > 0;
    const facts = { cgroup: "0::/weft.service\n", mountinfo: MOUNT };
    return { kernel, entered, system: { ...facts, files: kernel.files, enter, ...more } };
  }

  it("tries a group before it reports support, and removes the trial group", async () => {
    const { kernel, entered, system } = machine();
    const cgroups = await openJobCgroups("weft-1", system);
    assert.equal(cgroups?.countsMemory, false);
    assert.deepEqual(entered, [`${FOLDER}/probe/cgroup.procs`]);
    assert.deepEqual([...kernel.groups.keys()], [BASE, FOLDER]);
  });

  const refusals: [string, Parameters<typeof machine>[0], string | undefined][] = [
    ["it may make none", {}, "/weft-1"],
    ["no process may enter them", { enter: async () => false }, undefined],
    ["the kernel is too old to kill them", {}, "/cgroup.kill"],
    ["there is no second version", { cgroup: "" }, undefined],
  ];
  for (const [name, more, refused] of refusals)
    it(`opens no control groups if ${name}`, async () => {
      const { kernel, system } = machine(more);
      if (refused !== undefined) kernel.refused.add(refused);
      assert.equal(await openJobCgroups("weft-1", system), undefined);
      assert.deepEqual([...kernel.groups.keys()], [BASE]);
    });

  it("counts memory and processes only if the server has a separate group", async () => {
    const { kernel, system } = machine({ cgroup: "0::/weft.service/server\n" });
    const counting = await openJobCgroups("weft-1", system);
    assert.deepEqual([counting?.countsMemory, counting?.countsProcesses], [true, true]);
    assert.deepEqual(
      kernel.written.slice(0, 4),
      ["memory", "pids"].flatMap((controller) =>
        [BASE, FOLDER].map((group) => `${group}/cgroup.subtree_control=+${controller}`),
      ),
    );
    kernel.refused.add("cgroup.subtree_control");
    const refused = await openJobCgroups("weft-1", system);
    assert.deepEqual([refused?.countsMemory, refused?.countsProcesses], [false, false]);
  });

  it("removes groups of earlier servers, but none that is in use or foreign", async () => {
    const populated = { "cgroup.events": "populated 1\n" };
    const foreign = { [`${BASE}/weft-2`]: {}, [`${BASE}/weft-2/r.a@1`]: {} };
    const own = { [FOLDER]: {}, [`${FOLDER}/r.a@1`]: populated, [`${FOLDER}/r.b@1`]: {} };
    const { kernel, system } = machine({}, { ...own, ...foreign });
    await openJobCgroups("weft-1", system);
    const left = [BASE, FOLDER, `${FOLDER}/r.a@1`, ...Object.keys(foreign)];
    assert.deepEqual([...kernel.groups.keys()].toSorted(), left.toSorted());
  });
});
