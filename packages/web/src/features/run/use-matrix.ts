import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo } from "react";
import { runOutputsQuery } from "../../api/run-queries.ts";
import { samplesQuery } from "../../api/sample-queries.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { arrangeMatrix } from "./arrange-matrix.ts";

const NO_SAMPLES = { steps: [], samples: [] };

/**
 * The samples of a run with how each ended. What is missing from the outputs of a failed or aborted run tells which
 * samples lack steps whose jobs never existed; `isWhole` only if nothing about them is left out.
 */
export function useMatrix(run: Run) {
  const isOpen = !STATE_LOOKS[run.state].final;
  const samples = useQuery(samplesQuery(run.run_id, isOpen));
  const outputs = useQuery({ ...runOutputsQuery(run.run_id), enabled: run.partial });
  const { data: found } = samples;
  const { data: produced } = outputs;
  const matrix = useMemo(() => {
    const incomplete = new Set(produced?.missing.flatMap(({ sample_id: sample }) => sample ?? []));
    return arrangeMatrix(found ?? NO_SAMPLES, { isOpen, incomplete });
  }, [found, produced, isOpen]);
  const isKnown =
    !run.partial ||
    (produced !== undefined && produced.truncated !== true && produced.missing.length === produced.missing_total);
  return { samples, matrix, isWhole: isKnown && found !== undefined && found.samples.length === found.total };
}
