import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const LARGEST_BYTES = 1024 ** 3;
/** Links on a system whose programs are all below /usr, and folders that every container needs. */
const SKELETON = ["/bin", "/sbin", "/lib", "/lib64", "/etc", "/tmp", "/proc", "/dev", "/sys"];
/** Files that an image for tests does not need. */
const LEFT_OUT = /^\/usr\/share\/(?:doc|man|locale|info|lintian)\//;

/**
 * The root of an image as a tar archive (`{tar}`): the files of Debian packages and all their dependencies, as installed
 * on this machine; or `{missing}`, the reason why it cannot be built. `links`: further symbolic links by path;
 * `commandsOf`: a program that gets a link for each command that it lists (busybox).
 */
export function debianImage({ packages, links = {}, commandsOf }) {
  const installed = installedPackages();
  if (installed.size === 0) return { missing: "this system is not Debian" };
  const absent = packages.find((name) => !installed.has(name));
  if (absent !== undefined) return { missing: `the package ${absent} is not installed` };
  const commands = commandsOf === undefined ? [] : linesOf(commandsOf, "--list").filter((name) => name !== commandsOf);
  const own = Object.fromEntries(commands.map((name) => [`usr/bin/${name}`, `/bin/${commandsOf}`]));
  return { tar: archiveOf(filesOf(withDependencies(packages, installed)), { ...own, ...links }) };
}

/** Name → dependencies of the package, each as a list of the names that satisfy it. */
function installedPackages() {
  // A provided name counts as a package that needs its provider.
  const format = "${Package};${Pre-Depends},${Depends};${Provides};${db:Status-Status}\n";
  const rows = linesOf("dpkg-query", "--show", `--showformat=${format}`).map((line) => line.split(";"));
  const installed = rows.filter(([, , , status]) => status === "installed");
  const provided = installed.flatMap(([name, , provides]) => namesIn(provides, ",").map((other) => [other, [[name]]]));
  const needed = installed.map(([name, needs]) => [name, needs.split(",").map((need) => namesIn(need, "|"))]);
  return new Map([...provided, ...needed]);
}

/** `libc6:any (>= 2.34) | other` without versions and architectures. */
function namesIn(text, separator) {
  return text.split(separator).flatMap((word) => /^\s*([^\s:(]+)/.exec(word)?.[1] ?? []);
}

function withDependencies(packages, installed, found = new Set()) {
  for (const name of packages) {
    if (found.has(name)) continue;
    found.add(name);
    const needed = installed.get(name).flatMap((names) => names.find((other) => installed.has(other)) ?? []);
    withDependencies(needed, installed, found);
  }
  return found;
}

/** Files by their real paths: /bin/cat is /usr/bin/cat if /bin is a link to /usr/bin. */
function filesOf(packages) {
  // Packages that are only provided have no files; dpkg reports them by its exit code, and lists the rest.
  const listed = linesOf("dpkg-query", "--listfiles", ...packages).filter((path) => /^\/[^.]/.test(path));
  const kept = [...SKELETON, ...listed].filter((path) => !LEFT_OUT.test(path) && existsSync(dirname(path)));
  const real = kept.map((path) => join(realpathSync(dirname(path)), basename(path)));
  return [...new Set(real)].map((path) => path.slice(1));
}

function archiveOf(files, links) {
  const folder = mkdtempSync(join(tmpdir(), "weft-image-"));
  const list = (name, paths) => {
    writeFileSync(join(folder, name), paths.map((path) => `${path}\0`).join(""));
    return `--files-from=${join(folder, name)}`;
  };
  try {
    for (const [link, target] of Object.entries(links)) {
      mkdirSync(join(folder, "root", dirname(link)), { recursive: true });
      symlinkSync(target, join(folder, "root", link));
    }
    const parts = ["-C", "/", list("files", files)];
    const own = Object.keys(links).length === 0 ? [] : ["-C", join(folder, "root"), list("links", Object.keys(links))];
    const options = ["--create", "--no-recursion", "--ignore-failed-read", "--null", "--owner=0", "--group=0"];
    const { status, stdout, stderr } = spawnSync("tar", [...options, ...parts, ...own], { maxBuffer: LARGEST_BYTES });
    if (status !== 0) throw new Error(`tar ended with ${status}: ${stderr}`);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Empty if there is no such program. */
function linesOf(program, ...args) {
  const { stdout } = spawnSync(program, args, { encoding: "utf8", maxBuffer: LARGEST_BYTES });
  return (stdout ?? "").split("\n").filter(Boolean);
}
