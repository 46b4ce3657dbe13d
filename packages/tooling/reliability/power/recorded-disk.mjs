// A disk with a file system; the disk records the requests that it receives.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "../faults/fault-site.mjs";

const SERVER = fileURLToPath(new URL("./fuse-disk.mjs", import.meta.url));

export class RecordedDisk {
  #servedFolder;
  #server;
  #loop;

  constructor(folder, sizeBytes) {
    this.log = join(folder, "writes");
    this.mountPoint = join(folder, "mounted");
    this.#servedFolder = join(folder, "served");
    for (const path of [this.mountPoint, this.#servedFolder]) mkdirSync(path);
    this.#server = spawn(process.execPath, [SERVER, this.#servedFolder, this.log, String(sizeBytes)], {
      stdio: "inherit",
    });
  }

  async mount() {
    await eventually("the disk to be served", () => existsSync(join(this.#servedFolder, "disk")));
    this.#loop = command("losetup", "--find", "--show", join(this.#servedFolder, "disk"));
    command("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard", this.#loop);
    command("mount", this.#loop, this.mountPoint);
  }

  /** Number of bytes that the disk has logged so far. */
  position() {
    return statSync(this.log).size;
  }

  close() {
    spawnSync("umount", ["-l", this.mountPoint]);
    if (this.#loop !== undefined) spawnSync("losetup", ["-d", this.#loop]);
    spawnSync("umount", ["-l", this.#servedFolder]);
    this.#server.kill("SIGKILL");
  }
}

/** Returns the output of the command; throws if it fails. */
export function command(name, ...args) {
  const { status, stdout, stderr, error } = spawnSync(name, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} ${args.join(" ")}: ${error?.message ?? stderr.trim()}`);
  return stdout.trim();
}
