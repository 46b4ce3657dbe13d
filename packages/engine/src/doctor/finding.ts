import type { MachineCheck } from "@weft/shared/records/machine-record.ts";

/** The result of one check. */
export type Finding = Pick<MachineCheck, "state" | "detail" | "fix">;

export function ok(detail: string): Finding {
  return { state: "ok", detail, fix: null };
}

/** Weft works without it. `fix`: a command that helps. */
export function warning(detail: string, fix: string): Finding {
  return { state: "warning", detail, fix };
}

/** Weft cannot start, or cannot do what its options say. `fix`: a command that helps. */
export function failed(detail: string, fix: string): Finding {
  return { state: "failed", detail, fix };
}
