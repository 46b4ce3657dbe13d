import { matchesGlob } from "node:path";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { LaunchSize } from "./executor.ts";

/** Sends jobs to a backend: those that meet every condition that it names. */
export interface BackendRule {
  readonly backend: BackendKind;
  /** Pattern of step paths (`align`, `qc/*`, `**`); a tool that is run by itself has the empty path. */
  readonly step?: string | undefined;
  /** At least so much is asked for. */
  readonly cores?: number | undefined;
  readonly ramMib?: number | undefined;
  readonly seconds?: number | undefined;
}

export interface BackendPolicy {
  /** Where jobs run that no rule names. */
  readonly standard: BackendKind;
  /** The first that fits decides. */
  readonly rules: readonly BackendRule[];
  /** At a TES server, of tools that name no image; absent: they cannot run there. */
  readonly defaultImage?: string | undefined;
}

/** Everything on this machine. */
export const ALL_LOCAL: BackendPolicy = { standard: "local", rules: [] };

/** Where a job runs. */
export function chooseBackend({ standard, rules }: BackendPolicy, step: string, size: LaunchSize): BackendKind {
  return rules.find((rule) => fits(rule, step, size))?.backend ?? standard;
}

/** Whether a job of some step may be sent to a backend. */
export function mayRunAt({ standard, rules }: BackendPolicy, backend: BackendKind): boolean {
  return standard === backend || rules.some((rule) => rule.backend === backend);
}

function fits(rule: BackendRule, step: string, size: LaunchSize): boolean {
  if (rule.step !== undefined && !matchesGlob(step, rule.step)) return false;
  return (
    isAtLeast(size.cores, rule.cores) && isAtLeast(size.ramMib, rule.ramMib) && isAtLeast(size.seconds, rule.seconds)
  );
}

/** What a job does not say is taken for little. */
function isAtLeast(asked: number | undefined, bound: number | undefined): boolean {
  return bound === undefined || (asked !== undefined && asked >= bound);
}
