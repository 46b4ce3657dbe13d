// The container image. No registry is needed: its base is made of Debian's packages, from the sources of this machine.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const CONTAINERFILE = join(import.meta.dirname, "image/Containerfile");
const SOURCES = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"];

/** Needs mmdebstrap and podman. Its bytes depend on what Debian's archive holds that day. */
export function buildImage({ out, work, version }) {
  const context = join(work, "image");
  mkdirSync(context);
  copyFileSync(CONTAINERFILE, join(context, "Containerfile"));
  const sources = SOURCES.find((path) => existsSync(path));
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1];
  if (sources === undefined || codename === undefined) throw new Error("the image can only be built on Debian");
  const debian = join(out, `weft_${version}_amd64.deb`);
  run("mmdebstrap", [
    ...["--variant=minbase", "--include=bubblewrap,ca-certificates,libatomic1,passwd"],
    `--customize-hook=copy-in ${debian} /root`,
    `--customize-hook=chroot "$1" sh -c 'dpkg --install /root/*.deb && rm /root/*.deb'`,
    ...[codename, join(context, "root.tar"), sources],
  ]);
  const name = `localhost/weft:${version}`;
  run("podman", ["build", "--quiet", "--format", "docker", "--tag", name, context]);
  run("podman", ["save", "--quiet", "--output", join(out, `weft-${version}-image.tar`), name]);
}

function run(command, args) {
  const done = spawnSync(command, args, { encoding: "utf8" });
  if (done.error !== undefined) throw new Error(`cannot run ${command}: ${done.error.message}`);
  if (done.status !== 0) throw new Error(`${command} failed: ${done.stderr}`);
}
