// Builds the container image without a registry: its base consists of Debian packages from this machine's package sources.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { debianHere } from "../bare-debian.mjs";
import { serveAndRun } from "./serve-and-run.mjs";

const CONTAINERFILE = join(import.meta.dirname, "image/Containerfile");
const START = ["run", "--rm", "--network=host"];
/** For machines where podman may not raise limits, or where no systemd runs its health checks. */
const START_MODESTLY = [...START, "--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024", "--no-healthcheck"];
/** The last one is for machines that mount both versions of control groups. */
const STARTS = [START, START_MODESTLY, ["--runtime=runc", ...START_MODESTLY]];

/** Why this machine cannot build or start images; undefined if it can. */
export function whyNoImage() {
  if (process.getuid?.() !== 0) return "needs root (sudo npm run test:full)";
  if (debianHere() === undefined) return "needs Debian (run it on Debian)";
  const missing = ["mmdebstrap", "podman", "dpkg-deb"].filter((name) => spawnSync(name, ["--version"]).status !== 0);
  return missing.length === 0 ? undefined : `needs ${missing.join(" and ")} (apt-get install mmdebstrap podman dpkg)`;
}

/**
 * Builds the image from the Debian package in `out`, and returns its name. Apart from the package, its bytes depend only
 * on Debian's archive on that day: all timestamps are the time of the commit.
 */
export function makeImage({ out, work, version, epochS }) {
  const context = join(work, "image");
  mkdirSync(context);
  copyFileSync(CONTAINERFILE, join(context, "Containerfile"));
  const base = debianHere();
  if (base === undefined) throw new Error("the image can only be built on Debian");
  const debian = join(out, `weft_${version}_amd64.deb`);
  const debootstrap = [
    ...["--quiet", "--variant=minbase", "--include=bubblewrap,ca-certificates,libatomic1,passwd"],
    `--customize-hook=copy-in ${debian} /root`,
    `--customize-hook=chroot "$1" sh -c 'dpkg --install /root/*.deb && rm /root/*.deb'`,
    ...[base.codename, join(context, "root.tar"), base.sources],
  ];
  run("mmdebstrap", debootstrap, { SOURCE_DATE_EPOCH: String(epochS) });
  const name = `localhost/weft:${version}`;
  run("podman", ["build", "--quiet", "--format", "docker", `--timestamp=${epochS}`, "--tag", name, context]);
  return name;
}

/** Saves the image as a compressed archive. Not every podman loads it directly; all of them load the output of `gunzip --stdout`. */
export function buildImage(release) {
  const name = makeImage(release);
  const file = join(release.out, `weft-${release.version}-image.tar`);
  run("podman", ["save", "--quiet", "--output", file, name]);
  run("gzip", ["-6n", file]);
}

/** Starts a container of an image under the image's account, and runs the shipped network in it; see `serveAndRun`. */
export function tryImage(name) {
  const reasons = [];
  const start = STARTS.find((words) => {
    const { status, stderr } = spawnSync("podman", [...words, name, "--version"], { encoding: "utf8" });
    return status === 0 || !reasons.push(stderr);
  });
  if (start === undefined) throw new Error(`podman cannot start a container of the image:\n${reasons.join("")}`);
  return serveAndRun("podman", [...start, name, "serve", "--port", "0", "--auth", "none"]);
}

function run(command, args, env = {}) {
  const done = spawnSync(command, args, { encoding: "utf8", env: { ...process.env, ...env } });
  if (done.error !== undefined) throw new Error(`cannot run ${command}: ${done.error.message}`);
  if (done.status !== 0) throw new Error(`${command} failed: ${done.stderr}`);
}
