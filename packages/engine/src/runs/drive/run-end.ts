import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { EndedOutputs } from "@weft/cwl/workflow/advance.ts";
import type { RecordedKill } from "@weft/shared/events/event-parts.ts";
import type { Outcome, RunState, StateReason } from "@weft/shared/records/state.ts";
import type { NewEvent } from "../../journal/journal-event.ts";

/** The end of a run before its outputs are published; publishing may still fail. */
export interface RunEnd {
  readonly state: RunState;
  readonly outcome: Outcome;
  readonly reason: StateReason | null;
  /** What to publish; for failed runs, the outputs that exist. */
  readonly outputs: EndedOutputs | undefined;
}

/** The result of driving the run. */
export interface DrivenEnd extends RunEnd {
  /** The bound inputs; empty if the run failed before binding them. */
  readonly inputs: CwlObject;
  /** By list output: the names of its elements. */
  readonly outputNames: () => ReadonlyMap<string, readonly string[]>;
  /** How its processes were ended, if they were. */
  readonly kill: RecordedKill | undefined;
  /** Events about the killed jobs, to append with the end. */
  readonly killed: readonly NewEvent[];
}
