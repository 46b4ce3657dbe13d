import { useQuery } from "@tanstack/react-query";
import type { RunResults } from "@weft/shared/records/result-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { resultsQuery } from "../../../api/queries/result-queries.ts";
import { type Reviews, reviewsQuery } from "../../../api/queries/review-queries.ts";
import { useRights } from "../../../api/session-query.ts";
import { tableFileUrl, tableQuery } from "../../../api/queries/table-queries.ts";
import { thumbKind } from "../../../components/preview/preview-kind.ts";
import { useCanRunAgain } from "../../../components/role-gate.tsx";
import type { LeftOutSamples } from "../../../components/form-state.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { hasForm, links } from "../../../format/links.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { fileName, isFileValue } from "../../../format/value-text.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState, NoMatch } from "../../../ui/empty-state.tsx";
import { Select } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { outputLabel, placesOf } from "../gallery/result-places.ts";
import { isPruned, resultsPart } from "../run-storage.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import { ReviewGrid } from "./review-grid.tsx";
import {
  REVIEW_FILTERS,
  type ReviewedSample,
  countReviews,
  filterSamples,
  samplesToReview,
  verdictOf,
} from "./review-samples.ts";
import { useMarking } from "./use-marking.ts";
import { Toolbar } from "../../../ui/toolbar.tsx";

const REVIEW_FIELDS = ["review.verdict", "review.comment", "review.reviewed_by"];

/** Quality control: one picture of each sample, which users mark as passed or failed. */
export default function ReviewTab({ run }: { readonly run: Run }) {
  if (!STATE_LOOKS[run.state].final) return <EmptyState text="Available when the run finishes." />;
  return <EndedRun run={run} />;
}

const NAMES = ["review.verdict"];

function EndedRun({ run }: { readonly run: Run }) {
  const results = useQuery(resultsQuery(run.run_id, { text: "", page: 0 }));
  // The samples of an ended run never change.
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
  const samples = samplesToReview(rows, { firstSample, sampleCount });
  if (output === undefined || samples.length === 0)
    return (
      <EmptyState text="No results by sample: a review needs an output of a step that is scattered over named samples." />
    );
  const shared = { run, samples, reviews, output };
  return (
    <div className="space-y-3">
      <ReviewToolbar {...shared} columns={results.columns} outputs={outputs} onOutput={setOutput} />
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
  const shown = filterSamples(samples, props.reviews, filter);
  const canMark = useRights().mayAbort(run);
  const mark = useMarking(run);
  const [opened, setOpened] = useState<ReviewedSample | undefined>(undefined);
  const shared = {
    ...props,
    runId: run.run_id,
    isThere: !isPruned(run, resultsPart(run)),
    mark: canMark ? mark : undefined,
  };
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

interface ReviewToolbarProps {
  readonly run: Run;
  readonly samples: readonly ReviewedSample[];
  readonly reviews: Reviews;
  readonly columns: RunResults["columns"];
  readonly outputs: readonly string[];
  readonly output: string;
  readonly onOutput: (output: string) => void;
}

/** The toolbar: the displayed samples and output, the progress, and actions with the result. */
function ReviewToolbar({ run, samples, reviews, columns, outputs, output, onOutput }: ReviewToolbarProps) {
  const { passed, failed, open } = countReviews(samples, reviews);
  return (
    <Toolbar
      status={`${numberText(passed)} passed, ${numberText(failed)} failed, ${numberText(open)} not reviewed`}
      actions={
        <>
          <RunPassed run={run} samples={samples} reviews={reviews} />
          <a className="btn" href={tableFileUrl([run.run_id], REVIEW_FIELDS, "csv")} download>
            <Icon name="download" className="size-3.5" /> Reviews as CSV
          </a>
        </>
      }
    >
      <ReviewSelect samples={samples} reviews={reviews} />
      {outputs.length > 1 && (
        <Select
          className="w-auto max-w-56"
          aria-label="Output"
          value={output}
          options={outputs.map((id) => ({ id, label: outputLabel(columns, id) }))}
          onChoose={onOutput}
        />
      )}
    </Toolbar>
  );
}

function ReviewSelect({ samples, reviews }: Pick<ReviewToolbarProps, "samples" | "reviews">) {
  const [filter, setFilter] = useSearchParam("review");
  const { passed, failed, open } = countReviews(samples, reviews);
  const counts: Readonly<Record<string, number>> = { "": samples.length, none: open, pass: passed, fail: failed };
  return (
    <Select
      className="w-auto"
      aria-label="Reviews"
      value={filter}
      options={REVIEW_FILTERS.map(({ id, label }) => ({ id, label: `${label} (${numberText(counts[id] ?? 0)})` }))}
      onChoose={setFilter}
    />
  );
}

/** Opens the form of the network with the inputs of the samples that passed. */
function RunPassed({ run, samples, reviews }: Pick<ReviewToolbarProps, "run" | "samples" | "reviews">) {
  const navigate = useNavigate();
  const canRun = useCanRunAgain(run);
  const others = samples.filter(({ name }) => verdictOf(reviews, name) !== "pass");
  const count = samples.length - others.length;
  const indexes = others.flatMap(({ index }) => index ?? []);
  if (!canRun || run.network === undefined || !hasForm(run) || count === 0 || indexes.length < others.length)
    return null;
  const runAgain = (): void => {
    const state: LeftOutSamples = { leftOut: { names: others.map(({ name }) => name), indexes } };
    void navigate(links.runAgain(run), others.length === 0 ? {} : { state });
  };
  return (
    <Button onClick={runAgain}>
      <Icon name="again" /> Run again with {countText(count, "sample")} that passed
    </Button>
  );
}
