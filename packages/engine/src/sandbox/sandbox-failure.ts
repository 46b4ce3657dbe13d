import type { StateReason } from "@weft/shared/records/state.ts";
import type { JobExit } from "../executor/executor.ts";

/** With what bubblewrap and the sandbox supervisor end a job when they could not make a sandbox, in which case it has started nothing. */
const OWN_CODE = 1;
const OWN_WORDS = /^(?:bwrap|weft-sandbox): .*$/;

/**
 * The end of a job that was closed in: where the sandbox could not be made, its program was never started, whatever
 * exit code the tool takes for success. `readStderr` reads the end of what it wrote.
 */
export async function sandboxedExit(exit: JobExit, readStderr: () => Promise<string | undefined>): Promise<JobExit> {
  if (exit.kind !== "exited" || exit.exitCode !== OWN_CODE) return exit;
  const stderr = await readStderr();
  if (stderr === undefined || !OWN_WORDS.test(stderr.trim())) return exit;
  return { kind: "rejected", message: `its sandbox could not be made (${stderr.trim()})` };
}

/** What programs say that miss what a sandbox keeps from them. */
const MISSES: readonly (readonly [RegExp, string])[] = [
  [
    /read-only file system/i,
    "it ran in a sandbox, in which only its own folders and /tmp can be written; let the tool write to its output folder or $TMPDIR",
  ],
  [
    /network is unreachable|name resolution|could not resolve host|name or service not known|getaddrinfo/i,
    "it ran in a sandbox without a network; a tool that needs one says `NetworkAccess: {networkAccess: true}`",
  ],
];

/** Why a job failed, with the hint that its sandbox may be what its program stumbled over. */
export function withSandboxHint(
  reason: StateReason,
  { networkAccess, stderr = "" }: { readonly networkAccess: boolean; readonly stderr: string | undefined },
): StateReason {
  if (reason.code !== "TOOL_EXIT") return reason;
  const [writes, network] = MISSES;
  const told = [writes, networkAccess ? undefined : network].find((miss) => miss?.[0].test(stderr));
  return told === undefined ? reason : { ...reason, hint: told[1] };
}
