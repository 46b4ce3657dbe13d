import { execFile } from "node:child_process";
import { errorText } from "../error-text.ts";

const LIMIT_MS = 30_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Result of git. `output` is the text that it printed. */
export type GitResult =
  | { readonly state: "committed"; readonly commit: string; readonly output: string }
  | { readonly state: "unchanged"; readonly output: string }
  | { readonly state: "failed"; readonly output: string };

/** Whether a folder is in a git work tree. */
export async function isInWorkTree(folder: string): Promise<boolean> {
  const { code, output } = await git(folder, ["rev-parse", "--is-inside-work-tree"]);
  return code === 0 && output.trim() === "true";
}

export interface Commit {
  readonly folder: string;
  /** The paths to commit, relative to the folder. Other staged files are not committed. */
  readonly paths: readonly string[];
  readonly message: string;
  /** Name of the author. */
  readonly author: string;
}

/**
 * Commits paths and nothing else. Runs git without a shell, hooks, signing or questions: otherwise the server's account
 * would run whatever the repository's settings name.
 */
export async function commitPaths({ folder, paths, message, author }: Commit): Promise<GitResult> {
  const added = await git(folder, ["add", "--", ...paths.map(literal)]);
  if (added.code !== 0) return { state: "failed", output: added.output };
  const staged = await git(folder, ["status", "--porcelain", "--", ...paths.map(literal)]);
  if (staged.code === 0 && staged.output === "") return { state: "unchanged", output: "Nothing has changed." };
  const who = nameOf(author);
  const by = `--author=${who} <${who.replaceAll(/\s+/g, ".")}@localhost>`;
  const args = ["commit", "--only", "--no-verify", "--no-gpg-sign", by, "-m", message, "--", ...paths.map(literal)];
  const committed = await git(folder, args, await fallbackIdentity(folder));
  if (committed.code !== 0) return { state: "failed", output: committed.output };
  const { output: commit } = await git(folder, ["rev-parse", "HEAD"]);
  return { state: "committed", commit: commit.trim(), output: committed.output };
}

/** Prevents git from reading a path as a pattern. */
function literal(path: string): string {
  return `:(literal)${path}`;
}

/** The author's name without characters that would end a name in a commit. */
function nameOf(author: string): string {
  const name = author
    .replaceAll(/[<>\0-\x1f\x7f]/g, " ")
    .trim()
    .slice(0, 200);
  return name === "" ? "unknown" : name;
}

/** A committer for accounts without an identity. */
async function fallbackIdentity(folder: string): Promise<Readonly<Record<string, string>>> {
  const { code, output } = await git(folder, ["config", "user.email"]);
  if (code === 0 && output.trim() !== "") return {};
  return { GIT_COMMITTER_NAME: "Weft", GIT_COMMITTER_EMAIL: "weft@localhost" };
}

interface Ended {
  /** The exit code; undefined if git could not start or did not end in time. */
  readonly code: number | undefined;
  readonly output: string;
}

const SAFE = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "commit.gpgSign=false"];

function git(cwd: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const env = { ...process.env, GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C", ...more };
  const options = { cwd, env, timeout: LIMIT_MS, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => {
    execFile("git", [...SAFE, ...args], options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (error === null) resolve({ code: 0, output });
      else if (error.code === "ENOENT") resolve({ code: undefined, output: "git is not installed on the server." });
      else if (error.killed === true) resolve({ code: undefined, output: `git did not end within 30 s. ${output}` });
      else resolve({ code: typeof error.code === "number" ? error.code : 1, output: output || errorText(error) });
    });
  });
}
