import { matchesGlob } from "node:path";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { LaunchSize } from "../executor.ts";

/** Sends jobs to a backend if they meet every condition given here. */
export interface BackendRule {
  readonly backend: BackendKind;
  /** Pattern of step paths (`align`, `qc/*`, `**`); a tool run on its own has the empty path. */
  readonly step?: string | undefined;
  /** Minimum request. */
  readonly cores?: number | undefined;
  readonly ramMib?: number | undefined;
  readonly seconds?: number | undefined;
}

export interface BackendPolicy {
  /** The backend for jobs that match no rule. */
  readonly standard: BackendKind;
  /** The first matching rule decides. */
  readonly rules: readonly BackendRule[];
  /** The image for tools that request none at a TES server; without it, they cannot run there. */
  readonly defaultImage?: string | undefined;
}

/** All jobs run on this machine. */
export const ALL_LOCAL: BackendPolicy = { standard: "local", rules: [] };

/** Chooses the backend of a job. */
export function chooseBackend({ standard, rules }: BackendPolicy, step: string, size: LaunchSize): BackendKind {
  return rules.find((rule) => fits(rule, step, size))?.backend ?? standard;
}

/** True if a job of any step may be sent to a backend. */
export function mayRunAt({ standard, rules }: BackendPolicy, backend: BackendKind): boolean {
  return standard === backend || rules.some((rule) => rule.backend === backend);
}

function fits(rule: BackendRule, step: string, size: LaunchSize): boolean {
  if (rule.step !== undefined && !matchesGlob(step, rule.step)) return false;
  return (
    isAtLeast(size.cores, rule.cores) && isAtLeast(size.ramMib, rule.ramMib) && isAtLeast(size.seconds, rule.seconds)
  );
}

/** A missing request counts as small. */
function isAtLeast(asked: number | undefined, bound: number | undefined): boolean {
  return bound === undefined || (asked !== undefined && asked >= bound);
}
