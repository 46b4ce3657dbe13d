import { dirname } from "node:path";
import type { Renaming } from "./bundled-inputs.ts";
import { BUNDLE, JOB, shellWord } from "./shell-text.ts";

/** One step that prepares the job's folder; the order of steps matters. Strings contain marks (see shell-text.ts). */
export type StagingAct =
  | { readonly kind: "folder"; readonly target: string }
  | { readonly kind: "link"; readonly from: string; readonly target: string }
  | { readonly kind: "copy"; readonly from: string; readonly target: string }
  | { readonly kind: "text"; readonly text: string; readonly target: string };

/** The job that a run script repeats. All strings contain marks. */
export interface RunScript {
  /** A title for human readers. */
  readonly title: string;
  readonly renamings: readonly Renaming[];
  /** Lines that abort the script before it creates files if it cannot work on this machine. */
  readonly checks: readonly string[];
  readonly staging: readonly StagingAct[];
  /** Lines before the command, and the command as shell text without redirections. */
  readonly preparation: readonly string[];
  readonly command: string;
  readonly stdin: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** A POSIX shell script that recreates the job's folder and runs its command in it. */
export function runScript(script: RunScript): string {
  const { renamings, staging } = script;
  return [
    HEAD.replace("TITLE", () => script.title.replace(/[\r\n]/g, " ")),
    ...script.checks,
    'mkdir -p -- "$job/out" "$job/tmp"',
    "",
    ...(renamings.length === 0 ? [] : [RENAME, ...renamings.map(renamingLine), ""]),
    "# The files of the job.",
    ...stagingLines(staging),
    "",
    ...script.preparation,
    'cd -- "$job/out"',
    "code=0",
    `${script.command} \\`,
    `  < ${shellWord(script.stdin ?? "/dev/null")} > ${shellWord(script.stdout)} 2> ${shellWord(script.stderr)} || code=$?`,
    "",
    `echo "run.sh: exit code $code (the job had ${script.exitCode ?? "none"}); see out, stdout and stderr in $job" >&2`,
    'exit "$code"',
    "",
  ].join("\n");
}

const HEAD = `#!/bin/sh
# TITLE
# Usage: ./run.sh [FOLDER], a new folder (default: job, next to this script).
set -eu
bundle=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P)
job=\${1:-"$bundle/job"}
if [ -e "$job" ]; then
  echo "run.sh: $job already exists; choose another folder, or remove it" >&2
  exit 2
fi
case $job in /*) ;; *) job=$(pwd -P)/$job ;; esac`;

const RENAME = `# Restores names that some archives cannot store.
restore() { [ -e "$2" ] || mv -- "$1" "$2"; }`;

function renamingLine({ from, to }: Renaming): string {
  return `restore ${shellWord(`${BUNDLE}/${from}`)} ${shellWord(`${BUNDLE}/${to}`)}`;
}

function stagingLines(staging: readonly StagingAct[]): string[] {
  const made = new Set([`${JOB}/out`, `${JOB}/tmp`, JOB]);
  return staging.flatMap((act) => {
    const parent = dirname(act.target);
    const isMade = made.has(parent);
    made.add(parent);
    if (act.kind === "folder") made.add(act.target);
    return [...(isMade ? [] : [`mkdir -p -- ${shellWord(parent)}`]), stagingLine(act)];
  });
}

function stagingLine(act: StagingAct): string {
  const target = shellWord(act.target);
  switch (act.kind) {
    case "folder":
      return `mkdir -p -- ${target}`;
    case "link":
      return `ln -s -- ${shellWord(act.from)} ${target}`;
    case "copy":
      return `cp -RL -- ${shellWord(act.from)} ${target}`;
    case "text":
      return `printf %s ${shellWord(act.text)} > ${target}`;
  }
}
