// Runs as an ordinary account, too.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { caller, runToEnd, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { lacks, needsRoot } from "@weft/tooling/lacks.ts";
import { toolFiles } from "../src/testing/open-test-engine.ts";
import { openEngineOn } from "../src/testing/serve-files.ts";
import { scriptTool } from "../src/testing/script-tool.ts";

process.env["WEFT_TEST_SECRET_OF_THE_SERVER"] = "is-not-for-jobs";
const { root, engine } = await openEngineOn(toolFiles({ closed: scriptTool(false), online: scriptTool(true) }), {
  jobSandbox: "auto",
});
const state = join(root, "state");

async function said(script: string, id = "closed"): Promise<string> {
  const run = await runToEnd(engine, { tool: id, inputs: { script } });
  assert.equal(run.state_reason, null);
  return String(run.outputs?.["said"]);
}

const first = await runToEnd(engine, { tool: "closed", inputs: { script: "true" } });
const { sandbox } = engine.runs.job(caller, first.run_id, "main");
const skip = sandbox?.kind === "none" && (lacks("bwrap") || sandbox.why);
const isRoot = process.getuid?.() === 0;

/** Numbers of name_to_handle_at and open_by_handle_at. */
const CALLS = { x64: [303, 304], arm64: [264, 265] }[process.arch as string];
const perl = ["/usr/bin/perl", "/bin/perl"].find((path) => existsSync(path));
/** Prints a handle of a file. */
const NAME = `my $h = pack("Ii", 128, 0) . "\\0" x 128; my $m = pack("i", 0);
  syscall(${CALLS?.[0]}, -100, $ARGV[0], $h, $m, 0) == 0 or die "$!"; print unpack("H*", $h);`;
/** Opens a file by its handle, on the file system of a folder, and prints its first line. */
const OPEN = `opendir(my $d, $ARGV[0]) or die; my $h = pack("H*", $ARGV[1]);
  my $fd = syscall(${CALLS?.[1]}, fileno($d), $h, 0); $fd >= 0 or do { print "refused: $!\\n"; exit 0 };
  open(my $f, "<&=", $fd); print "read: " . <$f>;`;

/** Numbers of add_key, request_key and keyctl. */
const KEY_CALLS = { x64: [248, 249, 250], arm64: [217, 218, 219] }[process.arch as string];
const [ADD_KEY, REQUEST_KEY, KEYCTL] = KEY_CALLS ?? [];
const withoutCalls =
  lacks("perl") || (CALLS === undefined && "knows the system calls of x64 and arm64 only (run it on such a machine)");
const outside = (script: string, ...args: readonly string[]) =>
  execFileSync(perl ?? "", ["-e", script, ...args], { encoding: "utf8" });
/** Puts a key into the keyring of the account, which all its processes may use, and prints its number. */
const MAKE_KEY = `my ($t, $n, $d) = ("user", $ARGV[0], "precious");
  my $k = syscall(${ADD_KEY}, $t, $n, $d, length $d, -4); $k > 0 or die "add_key: $!";
  syscall(${KEYCTL}, 5, $k, 0x3f3f0000) == 0 or die "permissions: $!"; print $k;`;
const READ_KEY = `my $b = "-" x 64; my $n = syscall(${KEYCTL}, 11, 0 + $ARGV[0], $b, 64);
  print $n < 0 ? "refused: $!" : "read: " . substr($b, 0, $n);`;
const FORGET_KEYS = `my ($t, $n) = ("user", "left"); my $left = syscall(${KEYCTL}, 10, -4, $t, $n, 0);
  syscall(${KEYCTL}, 9, 0 + $_, -4) for $ARGV[0], $left;`;

describe("a job in a sandbox", { skip }, () => {
  describe("cannot use the keys of the account:", { skip: withoutCalls }, () => {
    const name = `weft-test-${process.pid}`;
    const attacks: Readonly<Record<string, string>> = {
      "read one by its number": `my $b = "-" x 64; print "got" if syscall(${KEYCTL}, 11, 0 + $ARGV[0], $b, 64) >= 0;`,
      "revoke one": `print "got" if syscall(${KEYCTL}, 3, 0 + $ARGV[0]) >= 0;`,
      "unlink one": `print "got" if syscall(${KEYCTL}, 9, 0 + $ARGV[0], -4) >= 0;`,
      "search for one": `my ($t, $n) = ("user", "${name}"); print "got" if syscall(${KEYCTL}, 10, -4, $t, $n, 0) >= 0;`,
      "request one": `my ($t, $n) = ("user", "${name}"); print "got" if syscall(${REQUEST_KEY}, $t, $n, 0, 0) >= 0;`,
      "join a session by its name": `my $n = "_ses"; print "got" if syscall(${KEYCTL}, 1, $n) >= 0;`,
      "leave one to other jobs": `my ($t, $n) = ("user", "left"); print "got" if syscall(${ADD_KEY}, $t, $n, $n, 4, -4) >= 0;`,
    };
    for (const [what, attack] of Object.entries(attacks))
      it(what, async () => {
        const key = outside(MAKE_KEY, name);
        try {
          assert.equal(await said(`${perl} -e '${attack}' ${key}; echo done`), "done\n");
          assert.equal(outside(READ_KEY, key), "read: precious");
          assert.equal(outside(attack, key), "got");
        } finally {
          outside(FORGET_KEYS, key);
        }
      });
  });

  it("sees no list of keys", async () =>
    assert.equal(await said("cat /proc/keys 2>/dev/null; cat /proc/self/../keys 2>/dev/null; echo done"), "done\n"));

  it("creates no user namespace, in which it would have all capabilities", async () => {
    const ways = ["unshare -U true", "unshare -Ur true", "unshare --user --map-root-user --mount true"];
    const script = ways.map((way) => `(${way}) 2>/dev/null && echo "${way}"`).join("\n");
    assert.equal(await said(`${script}\nunshare -U true 2>&1 | grep -o 'not permitted'`), "not permitted\n");
    const bubblewrap = "bwrap --unshare-user --ro-bind / / true";
    assert.equal(await said(`${bubblewrap} 2>/dev/null && echo made; echo done`), "done\n");
  });

  it("cannot type into a terminal", { skip: lacks("perl") }, async () => {
    const type = `open my $t, "+<", "/dev/ptmx" or die "$!"; my $c = "x"; for (0x5412, 0x541c) {
      my $r = ioctl($t, $_, $c); print defined $r ? "typed" : $!{EPERM} ? "refused " : "$!" }`;
    assert.equal(await said(`${perl} -MErrno -e '${type}'`), "refused refused ");
  });

  it("sees the devices that programs need, and no others of this machine", async () => {
    const common = "core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero".split(" ");
    const graphics = /^(?:nvidia.*|dri|kfd|accel|dxg|infiniband|davinci.*|hisi_hdc|devmm_svm)$/;
    const seen = (await said("ls /dev; for d in /dev/* /dev/*/*; do [ -b $d ] && echo block; done; true")).split("\n");
    assert.deepEqual(
      seen.filter((name) => name !== "" && !common.includes(name) && !graphics.test(name)),
      [],
    );
    assert.match(await said("echo x >/dev/null && head -c 3 /dev/zero | wc -c && : >/dev/shm/x && echo fine"), /fine/);
  });

  it("changes no mount, makes no device and leaves no root folder", async () => {
    const attempts = [
      ...["mount -t tmpfs none /tmp", "mount -o remount,rw /", "mount -o remount,rw,bind /dev"],
      ...["umount -l /dev", "umount -l /proc", "chroot / true", "unshare -m true", "nsenter -t 1 -m -n true"],
      ...["mknod /tmp/block b 7 0", "mknod $TMPDIR/memory c 1 1", "mknod /dev/block b 7 0"],
    ];
    const script = attempts.map((line) => `(${line}) 2>/dev/null && echo "${line}"`).join("\n");
    assert.equal(await said(`${script}\necho done`), "done\n");
  });

  it("changes no setting of the kernel", async () => {
    const settings = ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/sys/kernel/mm/ksm/run"];
    const script = settings
      .filter((path) => existsSync(path))
      .map((path) => `v=$(cat ${path}); (printf '%s\\n' "$v" >${path}) 2>/dev/null && echo ${path}`);
    const more = "for f in /proc/sysrq-trigger /proc/acpi/* /proc/scsi/scsi /proc/mtrr; do [ -w $f ] && echo $f; done";
    assert.equal(await said([...script, ...(isRoot ? [more] : []), "echo done"].join("\n")), "done\n");
  });

  it("has few rights of root", { skip: needsRoot("looks at the rights of root") }, async () => {
    const rights = BigInt(`0x${/CapEff:\s*([0-9a-f]+)/.exec(await said("cat /proc/self/status"))?.[1]}`);
    const kept = [0, 1, 3, 4, 5, 6, 7, 10]; // CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID NET_BIND_SERVICE
    assert.equal(
      rights,
      kept.reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n),
    );
    assert.match(await said("touch a && chown 1:1 a && stat -c %u:%g a"), /^1:1$/m);
  });

  for (const [how, before] of [
    ["as it is", ""],
    ["in namespaces of its own", "unshare -Urm "],
  ] as const)
    it(
      `opens no hidden file by its handle (${how})`,
      { skip: needsRoot("opens files by their handles") || withoutCalls },
      async () => {
        const secret = join(state, "secret.txt");
        await writeFile(secret, "precious\n");
        const handle = outside(NAME, secret);
        assert.equal(outside(OPEN, root, handle), "read: precious\n");
        const script = `for d in / $PWD ..; do ${before}${perl} -e '${OPEN}' $d ${handle}; done 2>&1; true`;
        assert.doesNotMatch(await said(script), /precious/);
      },
    );

  it("sees no process and no environment of the server", async () => {
    const script = `echo "$$ $PPID"; grep -l WEFT_TEST_SECRET /proc/[0-9]*/environ; for p in ${process.pid} ${process.ppid}; do
      [ -e /proc/$p ] && grep -a node /proc/$p/cmdline; done; env | grep WEFT_TEST_SECRET; echo done`;
    assert.match(await said(script), /^\d+ \d+\ndone\n$/);
  });

  it("finds no sockets of this machine's services, with a network or without", async () => {
    const folder = join("/run", `weft-test-${process.pid}`);
    const made = await mkdir(folder).then(
      () => true,
      () => false,
    );
    const server = createServer();
    if (made) await new Promise<void>((resolve) => server.listen(join(folder, "socket"), resolve));
    try {
      for (const id of ["closed", "online"])
        assert.equal(
          await said(`find /run/ -type s ! -path '/run/ns*cd/socket'; ls -d ${folder} 2>/dev/null; true`, id),
          "",
        );
    } finally {
      server.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("writes nothing of its attempt but its own folders, and nothing of other jobs", async () => {
    const waits = "until [ -s go ]; do sleep 0.05; done; cat go";
    const other = await startRun(engine, { tool: "closed", inputs: { script: waits } });
    await untilRun(engine, other, ({ job_counts }) => job_counts.RUNNING === 1);
    const theirs = join(state, "runs", other, "jobs/main@1");
    const places = ["../record", "../launch", "../exit", "../../x", `${theirs}/record`, `${theirs}/out/go`];
    const attempts = [
      ...places.map((path) => `(printf 'exit 0\\n' >>${path}) 2>/dev/null && echo ${path}`),
      "mv .. ../../moved 2>/dev/null && echo moved",
      "rm -f ../record ../launch 2>/dev/null && echo removed",
      "ln ../record mine 2>/dev/null && echo linked",
      "chmod 666 ../record 2>/dev/null && echo opened",
      "mkdir ../../main@2 2>/dev/null && echo made",
    ];
    assert.equal(await said([...attempts, "echo done"].join("\n")), "done\n");
    assert.equal(readFileSync(join(theirs, "record"), "utf8").includes("exit"), false);
    await writeFile(join(theirs, "out/go"), "went on\n");
    const run = await untilRun(engine, other, ({ state: now }) => now === "COMPLETE");
    assert.equal(run.outputs?.["said"], "went on\n");
  });
});
