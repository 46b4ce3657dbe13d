import { useQuery } from "@tanstack/react-query";
import type { RunResults } from "@weft/shared/records/result-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useMemo, useState } from "react";
import { useRights } from "../../../api/session-query.ts";
import { resultsQuery } from "../../../api/result-queries.ts";
import { reviewsQuery, type Reviews } from "../../../api/review-queries.ts";
import { tableQuery } from "../../../api/table-queries.ts";
import { thumbKind } from "../../../components/preview/thumb-kind.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { fileName, isFileValue } from "../../../format/value-text.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { NoMatch } from "../../../ui/no-match.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { placesOf } from "../gallery/result-places.ts";
import { isPruned } from "../run-storage.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import { ReviewGrid } from "./review-grid.tsx";
import { filterSamples, REVIEW_FILTERS, samplesToReview, type ReviewedSample } from "./review-samples.ts";
import { ReviewToolbar } from "./review-toolbar.tsx";
import { useMarking } from "./use-marking.ts";

/** Quality control: one picture of each sample, which users mark as passed or failed. */
export default function ReviewTab({ run }: { readonly run: Run }) {
  if (!STATE_LOOKS[run.state].final) return <EmptyState text="Available when the run finishes." />;
  return <EndedRun run={run} />;
}

const NAMES = ["review.verdict"];

function EndedRun({ run }: { readonly run: Run }) {
  const results = useQuery(resultsQuery(run.run_id, { text: "", page: 0 }));
  // Which samples an ended run has never changes.
  const names = useQuery(tableQuery([run.run_id], NAMES, "names"));
  const reviews = useQuery(reviewsQuery(run.run_id));
  return (
    <QueryView query={results} rows={6}>
      {(found) => (
        <QueryView query={names} rows={6}>
          {({ rows }) => (
            <QueryView query={reviews} rows={6}>
              {(data) => <Reviewing run={run} results={found} rows={rows} reviews={data} />}
            </QueryView>
          )}
        </QueryView>
      )}
    </QueryView>
  );
}

interface ReviewingProps {
  readonly run: Run;
  readonly results: RunResults;
  readonly rows: Parameters<typeof samplesToReview>[0];
  readonly reviews: Reviews;
}

function Reviewing({ run, results, rows, reviews }: ReviewingProps) {
  const outputs = results.columns.filter(({ by }) => by === "sample").map(({ output }) => output);
  const [outputText, setOutput] = useSearchParam("output");
  const output = outputs.includes(outputText) ? outputText : pictureOutput(results, outputs);
  const { firstSample, sampleCount } = placesOf(results.columns, results.total);
  const samples = useMemo(() => samplesToReview(rows, { firstSample, sampleCount }), [rows, firstSample, sampleCount]);
  if (output === undefined || samples.length === 0)
    return (
      <EmptyState text="No results by sample: a review needs an output of a step that is scattered over named samples." />
    );
  const shared = { run, samples, reviews, output };
  return (
    <div className="space-y-3">
      <ReviewToolbar {...shared} outputs={outputs} onOutput={setOutput} />
      <Samples {...shared} results={results} />
    </div>
  );
}

interface SamplesProps extends Pick<ReviewingProps, "run" | "results" | "reviews"> {
  readonly samples: readonly ReviewedSample[];
  readonly output: string;
}

/** The samples that match `?review=`, and the dialog over them. */
function Samples({ run, samples, ...props }: SamplesProps) {
  const [filterText] = useSearchParam("review");
  const filter = REVIEW_FILTERS.find(({ id }) => id === filterText)?.id ?? "";
  const shown = useMemo(() => filterSamples(samples, props.reviews, filter), [samples, props.reviews, filter]);
  const canMark = useRights().mayAbort(run);
  const mark = useMarking(run);
  const [opened, setOpened] = useState<ReviewedSample | undefined>(undefined);
  const shared = { ...props, runId: run.run_id, isThere: isThere(run), mark: canMark ? mark : undefined };
  return (
    <>
      {shown.length === 0 ? (
        <NoMatch text="No samples match." filters={["review"]} />
      ) : (
        <ReviewGrid {...shared} samples={shown} staysAfterMark={filter === ""} onOpen={setOpened} />
      )}
      {opened !== undefined && (
        <ReviewDialog
          {...shared}
          samples={samples}
          sample={opened}
          onMove={setOpened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

/** Outputs that were not published are files of jobs. */
function isThere(run: Run): boolean {
  const isPublished = run.outputs !== null || run.omitted?.outputs_bytes !== undefined;
  return !isPruned(run, isPublished ? "outputs" : "intermediate");
}

/** The first output with a picture in the first rows; else the first output. */
function pictureOutput({ rows }: RunResults, outputs: readonly string[]): string | undefined {
  const cells = rows.flatMap((row) => row.cells);
  const kinds = outputs.map((output) => {
    const file = cells.find((cell) => cell.output === output && isFileValue(cell.value))?.value;
    return isFileValue(file) ? thumbKind(fileName(file), file.size) : "none";
  });
  const best = ["image", "nifti", "pdf"].flatMap((kind) => outputs[kinds.findIndex((found) => found === kind)] ?? []);
  return best[0] ?? outputs[0];
}
