import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { assemble } from "../release/assemble.mjs";
import { buildDebianPackage } from "../release/debian-package.mjs";
import { buildExecutable } from "../release/executable.mjs";
import { makeImage, tryImage, whyNoImage } from "../release/image.mjs";
import { releaseNotes } from "../release/release-notes.mjs";
import { serveAndRun } from "../release/serve-and-run.mjs";

const folder = mkdtempSync(join(tmpdir(), "weft-release-"));
after(() => rmSync(folder, { recursive: true }));
const tree = join(folder, "tree");
const manifest = await assemble(tree);
const MAX_IDLE_THREADS = 8;
const SERVE = ["serve", "--port", "0", "--auth", "none", "--state"];

test("two builds of the same sources have the same bytes", async () => {
  const again = join(folder, "again");
  await assemble(again);
  assert.deepEqual(digests(again), digests(tree));
});

test("the npm package installs offline, serves and runs the shipped network", async () => {
  const prefix = join(folder, "npm");
  npm(["pack", "--ignore-scripts", "--pack-destination", folder], tree);
  npm(
    ["install", "--global", "--offline", "--prefix", prefix, join(folder, `${manifest.name}-${manifest.version}.tgz`)],
    folder,
  );
  assert.deepEqual(readdirSync(join(prefix, "lib/node_modules")), [manifest.name], "it depends on no other package");
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  const runner = spawnSync(join(prefix, "bin/cwl-runner"), ["--version"], { env, encoding: "utf8" });
  assert.equal(runner.status, 0, runner.stderr);
  await serveAndRun(join(prefix, "bin/weft"), [...SERVE, join(folder, "state")], { env });
});

test("weft doctor works in the npm package", () => {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  const words = ["doctor", "--json", "--port", "0", "--container", "none", "--state", join(folder, "state")];
  const { stdout, stderr } = spawnSync(join(folder, "npm/bin/weft"), words, { env, encoding: "utf8" });
  assert.equal(stderr, "");
  const { version, checks } = JSON.parse(stdout) as { version: string; checks: { id: string; detail: string }[] }; // its own test checks the shape
  assert.equal(version, manifest.version);
  const named = (id: string) => checks.find((check) => check.id === id)?.detail ?? "";
  assert.match(named("state-folder"), /events, intact$/, "the thread that reads the database is in the package");
  assert.doesNotMatch(named("browser"), /not built/);
});

test(
  "a container of the image serves and runs the shipped network",
  { skip: whyNoImage(), timeout: 900_000 },
  async () => {
    const epochS = 1_700_000_000;
    const release = { out: folder, work: join(folder, "image-work"), tree, version: manifest.version, epochS };
    mkdirSync(release.work);
    buildDebianPackage(release);
    const name = makeImage(release);
    const { stdout } = spawnSync("podman", ["image", "inspect", name, "--format", "{{.User}} {{.HealthCheck.Test}}"], {
      encoding: "utf8",
    });
    assert.match(stdout, /^weft \[CMD .*healthz/);
    await tryImage(name);
  },
);

test(
  "the executable unpacks itself once, and runs on a machine without Node",
  { skip: whyNoExecutable() },
  async () => {
    buildExecutable({ out: folder, work: folder, tree, version: manifest.version, epochS: 1_700_000_000 });
    const env = { PATH: "/usr/bin:/bin", XDG_CACHE_HOME: join(folder, "cache") };
    const file = join(folder, `weft-${manifest.version}-linux-x64`);
    const starts = [1, 2].map(() => spawnSync(file, ["--version"], { env, encoding: "utf8" }));
    assert.deepEqual(
      starts.map(({ stdout }) => stdout),
      [1, 2].map(() => `weft ${manifest.version}\n`),
    );
    const unpacked = readdirSync(join(folder, "cache/weft")).filter((name) => name !== "compiled");
    assert.equal(unpacked.length, 1);
    const { threads } = await serveAndRun(file, [...SERVE, join(folder, "state-of-executable")], { env });
    assert.ok(threads !== undefined && threads <= MAX_IDLE_THREADS, `an idle server has ${threads} threads`);
  },
);

test("the executable reports where it cannot unpack itself", { skip: whyNoExecutable() }, () => {
  const file = join(folder, `weft-${manifest.version}-linux-x64`);
  const start = (env: NodeJS.ProcessEnv) =>
    spawnSync(file, ["--version"], { env: { PATH: "/usr/bin:/bin", ...env }, encoding: "utf8" });
  assert.match(start({}).stderr, /set HOME or XDG_CACHE_HOME/);
  const { status, stderr } = start({ XDG_CACHE_HOME: "/dev/null" });
  assert.equal(status, 70);
  assert.match(stderr, /cannot write to \/dev\/null\/weft/);
});

test("the release notes are the newest section of the changelog", () => {
  assert.match(releaseNotes(), /^## \d+\.\d+\.\d+/);
  assert.equal(releaseNotes().match(/^## /gm)?.length, 1);
});

function npm(args: readonly string[], cwd: string): void {
  const done = spawnSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], { cwd, encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
}

function whyNoExecutable(): string | undefined {
  return process.platform === "linux" && process.arch === "x64"
    ? undefined
    : "builds a program for linux-x64 (run it on such a machine)";
}

/** Path of each file → digest. */
function digests(root: string): ReadonlyMap<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path.slice(root.length), createHash("sha256").update(readFileSync(path)).digest("hex")]),
  );
}
