// Provides an ordinary account for tests that root starts: root may do more, and most users are not root.
import { spawnSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../install.mjs";
import type { Skipped, TestResult } from "./report-tests.ts";

/** The account `nobody`, which every Unix has. */
const ID = 65_534;
/** The parts of a checkout that tests need. */
const PARTS = ["package.json", "tsconfig.base.json", "README.md", "docs", "packages", "node_modules"];

/** First line of a test file that runs again as an ordinary account when root starts the suite. */
const MARK = "// Runs as an ordinary account, too.\n";

export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Options of `spawn`. The home folder, the temporary folder and, if the account may not read the checkout, a copy are below `scratch`. */
export function ordinaryAccount(scratch: string): Account {
  const home = join(scratch, "home");
  mkdirSync(home);
  chownSync(home, ID, ID);
  const mayRead = spawnSync("test", ["-r", join(ROOT, "package.json")], { uid: ID, gid: ID }).status === 0;
  const cwd = mayRead ? ROOT : copyOfCheckout(scratch);
  const { PATH } = process.env;
  return { uid: ID, gid: ID, cwd, env: { ...(PATH !== undefined && { PATH }), HOME: home, TMPDIR: home } };
}

function copyOfCheckout(scratch: string): string {
  const copy = join(scratch, "checkout");
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** The tests that no account ran. The files in `twice` ran as two accounts: a test that only one of them skips did run. */
export function skippedByAll(results: readonly TestResult[], twice: ReadonlySet<string>): readonly Skipped[] {
  const partsOf = (name: string) => results.filter(({ skipped }) => skipped.some((one) => one.name === name)).length;
  const isLeft = ({ name }: Skipped) => !twice.has(name.split(": ")[0] ?? "") || partsOf(name) > 1;
  return results.flatMap(({ skipped }) => skipped.filter(isLeft));
}

export function dependsOnRights(file: string): boolean {
  return readFileSync(join(ROOT, file), "utf8").startsWith(MARK);
}
