import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { judgeClock } from "./check-clock.ts";
import { checkContainers } from "./check-containers.ts";
import { judgeDisk, mountType, type DiskFacts } from "./check-disk.ts";
import { judgeSandbox } from "./check-isolation.ts";
import { checkAccount, checkLauncher, checkLimits, checkNode } from "./check-process.ts";
import { judgeState } from "./check-state.ts";
import { carryOut } from "./examine-machine.ts";
import { installCommand, ok, type Finding } from "./machine.ts";
import { LOG_VERSION } from "../journal/schema.ts";
import type { Probe } from "../container/container-engine.ts";

const GIB = 1024 ** 3;
const DISK: DiskFacts = {
  ...{ folder: "/srv/weft", type: "ext4", network: undefined, sync: { ms: 1.24 } },
  ...{ freeBytes: 80 * GIB, totalBytes: 100 * GIB, freeInodes: Number.POSITIVE_INFINITY },
};
const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max file size             unlimited            unlimited            bytes
Max processes             96365                96365                processes
Max open files            1024                 524288               files
Max file locks            unlimited            unlimited            locks
`;
const nowMs = Date.parse("2026-11-21T02:02:14.617Z");

const clock = (more: Partial<Parameters<typeof judgeClock>[0]>) =>
  judgeClock({ nowMs, newestEventMs: undefined, isSynchronized: true, ...more });
const PROGRAMS = { bubblewrap: "/usr/bin/bwrap", launcher: "/opt/weft-exec", isRoot: false, listsKeys: true };
const lacking = (why: string, isRequired = false, read?: (name: string) => string | undefined) =>
  judgeSandbox({ programs: undefined, why }, isRequired, read);

/** Name, finding, expected state, and parts of the detail and the command. */
const CASES: Readonly<Record<string, readonly [Finding, Finding["state"], RegExp, RegExp?]>> = {
  "a new Node": [checkNode("26.1.0", "/usr/bin/node"), "ok", /^26\.1\.0, \/usr\/bin\/node$/],
  "an old Node": [checkNode("22.1.0", "/usr/bin/node"), "failed", /needs Node 24/, /npm install/],
  "an ordinary account": [checkAccount(1000, "ada"), "ok", /^ada \(1000\)$/],
  root: [checkAccount(0, "root"), "warning", /all rights/, /useradd/],
  "usual limits": [checkLimits(LIMITS), "ok", /^524288 open files, 96365 processes$/],
  "few files": [checkLimits(LIMITS.replace("524288", "1024  ")), "warning", /at most 1024 open/, /^ulimit -n/],
  "few processes": [checkLimits(LIMITS.replace(/96365/g, "64   ")), "warning", /at most 64 proc/, /^ulimit -u/],
  "small files": [
    checkLimits(LIMITS.replace(/(?<=size +)unlimited( +)unlimited/, "1000$11000")),
    "warning",
    /1000/,
    /-f/,
  ],
  "no limits": [checkLimits(""), "ok", /does not list/],
  "a good disk": [judgeDisk(DISK, "/srv/weft"), "ok", /^ext4, 80\.0 GiB of 100\.0 GiB free, fsync takes 1\.2 ms$/],
  "a full disk": [judgeDisk({ ...DISK, sync: { code: "ENOSPC" } }, "/srv/weft"), "failed", /is full/, /weft prune/],
  "a disk with room for small files only": [
    judgeDisk({ ...DISK, freeBytes: 1e6 }, "/srv/weft"),
    "failed",
    /0 MiB of/,
    /weft prune/,
  ],
  "a read-only disk": [judgeDisk({ ...DISK, sync: { code: "EROFS" } }, "/srv/weft"), "failed", /EROFS/, /--state/],
  "little space": [judgeDisk({ ...DISK, freeBytes: 1e8 }, "/srv/weft"), "warning", /only 95 MiB of/, /weft prune/],
  "few inodes": [judgeDisk({ ...DISK, freeInodes: 5 }, "/srv/weft"), "warning", /5 more files/, /weft prune/],
  "a network disk": [judgeDisk({ ...DISK, network: "NFS" }, "/srv/weft"), "failed", /is on NFS/, /LOCAL-DISK/],
  memory: [judgeDisk({ ...DISK, type: "tmpfs" }, "/srv/weft"), "warning", /in memory/, /--state/],
  "a slow disk": [judgeDisk({ ...DISK, sync: { ms: 250 } }, "/srv/weft"), "warning", /250\.0 ms/, /--state/],
  "a clock": [clock({ newestEventMs: nowMs - 5, isSynchronized: undefined }), "ok", /^2026-11-21T02/],
  "a clock that is set": [clock({}), "ok", /time service/],
  "a clock that nothing sets": [clock({ isSynchronized: false }), "warning", /no time service/, /timedatectl/],
  "a clock behind the log": [clock({ newestEventMs: nowMs + 60_000 }), "warning", /02:03:14/, /timedatectl/],
  "a sandbox": [judgeSandbox({ programs: PROGRAMS, version: "0.8.0" }, true), "ok", /^bubblewrap 0\.8\.0$/],
  "no bubblewrap": [lacking("is not installed"), "warning", /is not installed/, /bubblewrap$/],
  "no bubblewrap, but required": [lacking("is not installed", true), "failed", /is not installed/, /bubblewrap$/],
  AppArmor: [
    lacking("does not work here: x", false, (name) => (name.startsWith("kernel/apparmor") ? "1" : undefined)),
    "warning",
    /does not work here/,
    /^sudo sysctl -w kernel\.apparmor_restrict_unprivileged_userns=0$/,
  ],
  "no user namespaces": [
    lacking("does not work here: x", false, () => "0"),
    "warning",
    /does not work/,
    /userns_clone=1$/,
  ],
};

describe("the finding about", () => {
  for (const [name, [{ state, detail, fix }, expected, words, command]] of Object.entries(CASES))
    it(name, () => {
      assert.equal(state, expected);
      assert.match(detail, words);
      if (command === undefined) assert.equal(fix, null);
      else assert.match(String(fix), command);
    });

  it("state folders of other versions, and damaged ones", () => {
    const judge = (logVersion: number, damage?: string) =>
      judgeState({ logVersion, isFolded: logVersion === LOG_VERSION, program: "9.1.0", damage }, "/srv/weft");
    assert.equal(judge(LOG_VERSION), undefined);
    assert.match(judge(LOG_VERSION + 1)?.detail ?? "", /newer version of Weft .*the last server here was Weft 9\.1\.0/);
    assert.equal(judge(LOG_VERSION - 1)?.state, "warning");
    assert.match(judge(LOG_VERSION, "the file is damaged")?.fix ?? "", /^weft restore/);
  });

  it("reports the launcher", async () => {
    const judge = (code: number | null, stdout: string, stderr = "") =>
      checkLauncher(async () => ({ code, stdout, stderr }), "/opt/weft-exec");
    assert.deepEqual(await judge(0, "over\n"), ok("/opt/weft-exec"));
    assert.match((await judge(null, "", "permission denied: /opt/weft-exec")).detail, /cannot start jobs: permission/);
    const other = await judge(1, "");
    assert.deepEqual([other.state, other.detail.endsWith("ended with 1")], ["failed", true]);
    assert.match(other.fix ?? "", /^findmnt --target \/opt\/weft-exec/);
  });

  it("container engines", async () => {
    const engines = (probes: Readonly<Record<string, Probe>>) => (kind: string) => ({
      probe: async (): Promise<Probe> => probes[kind] ?? { works: false, why: "is not installed" },
    });
    const podman = engines({ podman: { works: true, version: "5.0" } });
    assert.match((await checkContainers("auto", podman)).detail, /^podman 5\.0 starts containers; docker is not/);
    const without = await checkContainers("auto", engines({}));
    assert.deepEqual([without.state, without.fix], ["warning", installCommand("podman")]);
    const broken = async (why: string) =>
      (await checkContainers("auto", engines({ podman: { works: false, why } }))).fix;
    assert.equal(await broken("cannot run a container: no crun, and runc is not installed"), installCommand("runc"));
    assert.equal(await broken("does not work: no user namespaces"), "podman info");
    assert.equal((await checkContainers("docker", podman)).state, "failed");
    assert.equal((await checkContainers("none", podman)).state, "ok");
  });
});

describe("a check", () => {
  const check = { id: "disk", title: "Disk" } as const;

  it("fails if it takes too long", async () => {
    const late = await carryOut({ ...check, limitMs: 20, examine: () => new Promise(() => {}) });
    assert.deepEqual([late.state, late.detail], ["failed", "no result after 0.02 s"]);
  });

  it("fails if it throws", async () => {
    const examine = () => {
      throw new Error("no such device");
    };
    const { state, detail } = await carryOut({ ...check, limitMs: 1000, examine });
    assert.deepEqual([state, detail], ["failed", "the check itself failed: no such device"]);
  });

  it("says how long it took if it passes", async () => {
    const { duration_ms: durationMs } = await carryOut({ ...check, limitMs: 1000, examine: () => ok("fine") });
    assert.ok(durationMs < 1000);
  });
});

it("the type of a disk is that of the last mount that contains it", () => {
  const mounts = `22 27 0:21 / / rw,relatime - ext4 /dev/a rw
23 22 0:22 / /srv rw shared:1 - xfs /dev/b rw
24 23 0:23 / /srv/with\\040space rw - tmpfs tmpfs rw
25 22 0:24 / /srvx rw - btrfs /dev/c rw
`;
  const types = ["/home/a", "/srv", "/srv/weft", "/srv/with space/x", "/srvx"].map((path) => mountType(path, mounts));
  assert.deepEqual(types, ["ext4", "xfs", "xfs", "tmpfs", "btrfs"]);
});
