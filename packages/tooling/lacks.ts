// Requirements of tests that this machine may lack. A test that needs a program has `{ skip: lacks("bwrap") }`: it
// runs if the program works, and otherwise its reason names the command that would enable it.
import { spawnSync } from "node:child_process";

interface Need {
  /** Name of the requirement, as people call it. */
  readonly is: string;
  /** A command that succeeds if the requirement is met. */
  readonly works: readonly [command: string, ...args: string[]];
  /** Debian's packages. */
  readonly packages: string;
}

const SLURM = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel"];

const NEEDS = {
  bwrap: {
    is: "a working bubblewrap",
    works: ["bwrap", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true"],
    packages: "bubblewrap",
  },
  cwltool: { is: "cwltool", works: ["cwltool", "--version"], packages: "cwltool" },
  gcc: { is: "Debian's C compiler", works: ["gcc", "-static", "--version"], packages: "gcc libc6-dev" },
  gccForArm: {
    is: "Debian's C compiler for ARM64",
    works: ["aarch64-linux-gnu-gcc", "--version"],
    packages: "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
  },
  mypy: { is: "mypy", works: ["python3", "-m", "mypy", "--version"], packages: "mypy" },
  nvim: { is: "Neovim", works: ["nvim", "--version"], packages: "neovim" },
  perl: { is: "Perl", works: ["perl", "-e", "1"], packages: "perl" },
  podman: { is: "podman", works: ["podman", "--version"], packages: "podman runc" },
  prov: { is: "the Python package prov", works: ["python3", "-c", "import prov"], packages: "python3-prov" },
  python3: { is: "Python 3", works: ["python3", "--version"], packages: "python3" },
  qemuForArm: {
    is: "an emulator of ARM64",
    works: ["qemu-aarch64-static", "--version"],
    packages: "qemu-user-static",
  },
  slurm: {
    is: "Slurm",
    works: ["sh", "-c", SLURM.map((name) => `command -v ${name}`).join(" && ")],
    packages: "slurm-wlm munge",
  },
  strace: { is: "strace", works: ["strace", "-V"], packages: "strace" },
  unzip: { is: "unzip", works: ["unzip", "-v"], packages: "unzip" },
} satisfies Record<string, Need>;

/** Includes the folders of daemons, which the PATH of ordinary accounts lacks. */
const PATH = `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`;
const known = new Map<string, string | false>();

/** Why a test that needs `name` is skipped here; false if it can run. */
export function lacks(name: keyof typeof NEEDS): string | false {
  const before = known.get(name);
  if (before !== undefined) return before;
  const { is, works, packages }: Need = NEEDS[name];
  const [command, ...args] = works;
  const { status } = spawnSync(command, args, { env: { ...process.env, PATH }, stdio: "ignore" });
  const reason = status === 0 ? false : `needs ${is} (apt-get install ${packages})`;
  known.set(name, reason);
  return reason;
}

/** `why` is a sentence without its end: "makes files of another account". */
export function needsRoot(why: string): string | false {
  return process.getuid?.() === 0 ? false : `${why}, which needs root (sudo npm test)`;
}
