import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";

/** `bubblewrap 0.8.0, without a network`, or why there was none. */
export function sandboxText(sandbox: JobSandbox): string {
  if (sandbox.kind === "none") return `none: ${sandbox.why}`;
  return `${sandbox.kind} ${sandbox.version}, ${sandbox.network ? "with the network" : "without a network"}`;
}
