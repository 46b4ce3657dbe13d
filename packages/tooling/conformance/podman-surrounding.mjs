import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debianImage } from "./debian-image.mjs";

/**
 * The images of the suite: Debian packages contain the programs that its cases call. They get the suite's names in a
 * separate store, where they cannot be mistaken for the originals.
 */
const IMAGES = {
  "docker.io/library/debian:stable-slim": {
    packages: ["coreutils", "bash", "dash", "grep", "sed", "findutils", "util-linux"],
  },
  "docker.io/library/python:3-slim": {
    packages: ["coreutils", "bash", "dash", "python3"],
    links: { "usr/local/bin/python": "/usr/bin/python3" },
  },
  "docker.io/library/bash:4.4": { packages: ["coreutils", "bash"], links: { "usr/local/bin/bash": "/bin/bash" } },
  "docker.io/library/alpine:latest": { packages: ["busybox-static"], commandsOf: "busybox" },
};

/** Opens podman with those images of the suite whose programs are on this machine. */
export async function openPodman(scratch) {
  const at = (name) => join(scratch, name);
  mkdirSync(at("images"));
  const storage = { driver: "overlay", runroot: at("images/run"), graphroot: at("images/graph") };
  const lines = Object.entries(storage).map(([key, value]) => `${key} = "${value}"`);
  writeFileSync(at("storage.conf"), ["[storage]", ...lines, ""].join("\n"));
  const env = { CONTAINERS_STORAGE_CONF: at("storage.conf") };
  const podman = (args, options) =>
    spawnSync("podman", args, { encoding: "utf8", env: { ...process.env, ...env }, ...options });
  const { stdout, error } = podman(["info", "--format={{.Store.GraphRoot}}"]);
  if (error !== undefined) return { missing: "podman is not installed" };
  // Images with these names must not get into a store that other users search.
  if (stdout.trim() !== storage.graphroot) return { missing: "podman does not store images in the configured folder" };
  const close = () => removeStore(podman, storage.graphroot);
  try {
    for (const [name, contents] of Object.entries(IMAGES)) importImage(podman, name, contents);
  } catch (error) {
    close();
    throw error;
  }
  return { env, flags: ["--container=podman"], close };
}

function importImage(podman, name, contents) {
  const archive = debianImage(contents);
  if (archive.missing !== undefined) return console.log(`weft: no image for ${name}: ${archive.missing}`);
  const { status, stderr } = podman(["import", "-", name], { input: archive.tar });
  if (status !== 0) throw new Error(`podman import ended with ${status}: ${stderr}`);
}

/** Unmounts the folder of the layers, which podman leaves mounted on itself if root runs it: otherwise, it could not be removed. */
function removeStore(podman, graphroot) {
  podman(["rmi", "--all", "--force"]);
  spawnSync("umount", [join(graphroot, "overlay")], { stdio: "ignore" });
}
