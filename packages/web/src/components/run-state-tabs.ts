import type { RunState } from "@weft/shared/records/state.ts";
import { ACTIVE_STATES, FAILED_STATES } from "../format/state-look.ts";

export interface RunStateTab {
  readonly id: string;
  readonly label: string;
  readonly states: readonly RunState[] | undefined;
}

/** The groups by which runs are filtered; `id` is the value of `?state=`. */
export const RUN_STATE_TABS: readonly [RunStateTab, ...RunStateTab[]] = [
  { id: "", label: "All", states: undefined },
  { id: "running", label: "Running", states: ACTIVE_STATES },
  { id: "queued", label: "Queued", states: ["QUEUED"] },
  { id: "succeeded", label: "Succeeded", states: ["COMPLETE"] },
  { id: "failed", label: "Failed", states: FAILED_STATES },
  { id: "cancelled", label: "Aborted", states: ["CANCELED"] },
];

/** The group named by `?state=`; an unknown name means all. */
export function runStateTab(id: string): RunStateTab {
  return RUN_STATE_TABS.find((tab) => tab.id === id) ?? RUN_STATE_TABS[0];
}
