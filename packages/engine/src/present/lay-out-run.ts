import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { ElementStep } from "@weft/cwl/workflow/element-outputs.ts";
import type { LogReader } from "../journal/log-reader.ts";
import { layOutResults } from "./result-rows.ts";
import type { MissingCell, ResultLayout } from "./result-rows.ts";

/** An output as the document declares it. */
export interface DeclaredOutput {
  readonly id: string;
  readonly label?: string | undefined;
  readonly elements?: ElementStep | undefined;
}

export interface OutputsToLayOut {
  /** The outputs with portable locations. */
  readonly outputs: CwlObject;
  readonly declared: readonly DeclaredOutput[];
  readonly missing?: readonly MissingCell[];
}

/** The outputs of a run as rows, with the samples that its jobs were queued for. */
export function layOutRun(
  runId: string,
  { outputs, declared, missing = [] }: OutputsToLayOut,
  read: Pick<LogReader, "elementSamples">,
): ResultLayout {
  const samplesOf = ({ step, isOfOneElement }: ElementStep): ReadonlyMap<number, string> =>
    isOfOneElement ? read.elementSamples(runId, step) : new Map();
  return layOutResults({
    outputs,
    missing,
    declared: declared.map(({ id, label, elements }) => ({
      id,
      label,
      samples: elements === undefined ? undefined : samplesOf(elements),
    })),
  });
}
