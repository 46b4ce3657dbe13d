import type { StateReason } from "@weft/shared/records/state.ts";
import type { JobExit } from "../executor/executor.ts";

/** The exit code of bubblewrap if it could not create a sandbox; then nothing was started. */
const OWN_CODE = 1;
const OWN_WORDS = /^bwrap: .*$/;

/**
 * The end of a sandboxed job. If the sandbox could not be created, its program never started, even if the tool counts
 * that exit code as success. `readStderr` reads the end of its stderr.
 */
export async function sandboxedExit(exit: JobExit, readStderr: () => Promise<string | undefined>): Promise<JobExit> {
  if (exit.kind !== "exited" || exit.exitCode !== OWN_CODE) return exit;
  const stderr = await readStderr();
  if (stderr === undefined || !OWN_WORDS.test(stderr.trim())) return exit;
  return { kind: "rejected", message: `its sandbox could not be created (${stderr.trim()})` };
}

/** Messages of programs that miss a file or device hidden by the sandbox. */
const MISSES: readonly (readonly [RegExp, string])[] = [
  [
    /read-only file system/i,
    "it ran in a sandbox, where only its own folders and /tmp are writable; let the tool write to its output directory or $TMPDIR",
  ],
  [
    /network is unreachable|name resolution|could not resolve host|name or service not known|getaddrinfo/i,
    "it ran in a sandbox without network access; if the tool needs it, add `NetworkAccess: {networkAccess: true}`",
  ],
];

/** The reason of a failure, with the hint that the sandbox may be the cause. */
export function withSandboxHint(
  reason: StateReason,
  { networkAccess, stderr = "" }: { readonly networkAccess: boolean; readonly stderr: string | undefined },
): StateReason {
  if (reason.code !== "TOOL_EXIT") return reason;
  const [writes, network] = MISSES;
  const match = [writes, networkAccess ? undefined : network].find((miss) => miss?.[0].test(stderr));
  return match === undefined ? reason : { ...reason, hint: match[1] };
}
