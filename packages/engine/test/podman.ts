import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../src/executor/run-program.ts";
import { OciEngine } from "../src/container/oci-engine.ts";

/** A name that nobody publishes. */
export const TEST_IMAGE = "localhost/weft-test-busybox:1";

const BUSYBOX = ["/bin/busybox", "/usr/bin/busybox"].find((path) => existsSync(path));
const COMMANDS = ["sh", "cat", "echo", "env", "id", "ln", "ls", "mkdir", "sleep", "touch", "true", "wc"];

/**
 * Makes podman ready for tests with an image of one static program; returns the reason if podman does not work.
 * Nobody's settings are touched.
 */
export async function preparePodman(): Promise<string | undefined> {
  const clientEnv = process.env as Record<string, string>; // of a process every value is a text
  const engine = new OciEngine("podman", { run: runProgram, clientEnv, arch: process.arch });
  const probe = await engine.probe();
  if (!probe.works) return `needs a podman that works: ${probe.why} (apt-get install podman runc)`;
  return (await importImage(TEST_IMAGE, "")) ?? tryOut(engine);
}

/**
 * The program under the name of each of its commands, and a file `/mark`; without a static one the image does not work. Answers
 * why there is none. An image that has the name loses it.
 */
export async function importImage(name: string, mark: string): Promise<string | undefined> {
  if (BUSYBOX === undefined) return "needs a static busybox to make an image of (apt-get install busybox-static)";
  const folder = mkdtempSync(join(tmpdir(), "weft-image-"));
  try {
    return await importFrom(join(folder, "root"), { name, mark, busybox: BUSYBOX });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface TestImage {
  readonly name: string;
  readonly mark: string;
  readonly busybox: string;
}

async function importFrom(root: string, { name, mark, busybox }: TestImage): Promise<string | undefined> {
  const script = `mkdir -p "$1/bin" "$1/tmp" && cp "$2" "$1/bin/busybox" && printf %s "$3" > "$1/mark" && shift 3 &&
    for name; do ln -s busybox "$0/bin/$name"; done && tar -C "$0" -cf "$0.tar" .`;
  const packed = spawnSync("sh", ["-c", script, root, root, busybox, mark, ...COMMANDS]);
  if (packed.status !== 0) return `the image could not be made: ${packed.stderr.toString()}`;
  const imported = await runProgram("podman", ["import", `${root}.tar`, name]);
  return imported.code === 0 ? undefined : `the image could not be imported: ${imported.stderr}`;
}

async function tryOut(engine: OciEngine): Promise<string | undefined> {
  const { argv } = engine.command({
    ...{ runId: `test-${process.pid}`, jobId: "true", attempt: 1, argv: ["true"], env: {}, workdir: "/", mounts: [] },
    image: { name: TEST_IMAGE, reference: TEST_IMAGE, digest: null },
    networkAccess: false,
    limits: { cores: undefined, ramMib: undefined },
  });
  const [program = "", ...args] = argv;
  const tried = await runProgram(program, args);
  return tried.code === 0 ? undefined : `the busybox of this machine does not run by itself: ${tried.stderr}`;
}
