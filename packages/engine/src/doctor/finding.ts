import type { MachineCheck } from "@weft/shared/records/machine-record.ts";

/** The result of one check. */
export type Finding = Pick<MachineCheck, "state" | "detail" | "fix">;

export function ok(detail: string): Finding {
  return { state: "ok", detail, fix: null };
}

/** A problem that does not keep Weft from working. `fix`: a command that helps. */
export function warning(detail: string, fix: string): Finding {
  return { state: "warning", detail, fix };
}

/** A problem because of which Weft cannot start or cannot follow its options. `fix`: a command that helps. */
export function failed(detail: string, fix: string): Finding {
  return { state: "failed", detail, fix };
}
