// A disk with a file system on it that records its requests.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "../faults/fault-site.mjs";

const SERVER = fileURLToPath(new URL("./fuse-disk.mjs", import.meta.url));

export class RecordedDisk {
  #place;
  #server;
  #loop;

  constructor(folder, sizeBytes) {
    this.log = join(folder, "writes");
    this.mountPoint = join(folder, "mounted");
    this.#place = join(folder, "served");
    for (const path of [this.mountPoint, this.#place]) mkdirSync(path);
    this.#server = spawn(process.execPath, [SERVER, this.#place, this.log, String(sizeBytes)], { stdio: "inherit" });
  }

  async mount() {
    await eventually("the disk to be served", () => existsSync(join(this.#place, "disk")));
    this.#loop = command("losetup", "--find", "--show", join(this.#place, "disk"));
    command("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard", this.#loop);
    command("mount", this.#loop, this.mountPoint);
  }

  /** How much the disk has received so far, in bytes of the log. */
  position() {
    return statSync(this.log).size;
  }

  close() {
    spawnSync("umount", ["-l", this.mountPoint]);
    if (this.#loop !== undefined) spawnSync("losetup", ["-d", this.#loop]);
    spawnSync("umount", ["-l", this.#place]);
    this.#server.kill("SIGKILL");
  }
}

/** Returns the output of the command; throws if it fails. */
export function command(name, ...args) {
  const { status, stdout, stderr, error } = spawnSync(name, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} ${args.join(" ")}: ${error?.message ?? stderr.trim()}`);
  return stdout.trim();
}
