import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";

/** `bubblewrap 0.8.0, no network`, or why there was no sandbox. */
export function sandboxText(sandbox: JobSandbox): string {
  if (sandbox.kind === "none") return `none: ${sandbox.why}`;
  return `${sandbox.kind} ${sandbox.version}, ${sandbox.network ? "network access" : "no network"}`;
}
