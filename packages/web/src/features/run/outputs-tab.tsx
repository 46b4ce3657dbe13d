import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { PlacedFile } from "@weft/shared/records/placed-file.ts";
import type { RunResults } from "@weft/shared/records/result-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { ownUrl } from "../../api/base-path.ts";
import { resultsQuery } from "../../api/queries/result-queries.ts";
import { ChecksumLink } from "../../components/file-link.tsx";
import { countText } from "@weft/shared/text/count-text.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState, NoMatch } from "../../ui/empty-state.tsx";
import { Select } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { SearchBox } from "../../ui/search-field.tsx";
import { Segments } from "../../ui/segments.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { ResultGallery, useResultRow } from "./gallery/result-gallery.tsx";
import { type ResultPlace, type ResultPlaces, parsePlace, placeText, placesOf } from "./gallery/result-places.ts";
import { PartialNote } from "./partial-outputs.tsx";
import { PrunedNote, isPruned, resultsPart } from "./run-storage.tsx";
import { WholeRun } from "./whole-run.tsx";
import { Toolbar } from "../../ui/toolbar.tsx";
import { TextLink } from "../../ui/text-link.tsx";

const ResultViewer = onDemand(() => import("./gallery/result-viewer.tsx"));

/** Maximum number of listed files; the run record contains them all. */
const SHOWN = 200;

const COLUMNS: readonly Column<PlacedFile>[] = [
  { label: "Output", render: ({ output }) => output },
  { label: "Sample", render: (file) => file.sample_id ?? "" },
  {
    label: "Destination",
    render: ({ uri }) => (
      <>
        <span className="code wrap-anywhere">{uri}</span> <CopyButton text={uri} label="Copy path" look="quiet" />
      </>
    ),
  },
  { label: "Size", number: true, render: ({ size }) => formatBytes(size) },
  {
    label: "Details",
    hidden: true,
    render: ({ checksum }) => (
      <details>
        <summary className="cursor-pointer text-soft hover:text-ink">Checksum</summary>
        <ChecksumLink checksum={checksum} />
      </details>
    ),
  },
];

/** A gallery of the run's results, by sample if there are samples. */
export default function OutputsTab({ run }: { readonly run: Run }) {
  const [text] = useSearchParam("q");
  const first = useQuery({ ...resultsQuery(run.run_id, { text, page: 0 }), placeholderData: keepPreviousData });
  if (!run.partial && resultsPart(run) !== "outputs")
    return (
      <EmptyState
        text={STATE_LOOKS[run.state].final ? "No outputs: no job succeeded." : "Available when the run finishes."}
      />
    );
  return (
    <QueryView query={first} rows={6}>
      {(results) => <Results run={run} results={results} text={text} />}
    </QueryView>
  );
}

interface ResultsProps {
  readonly run: Run;
  readonly results: RunResults;
  readonly text: string;
}

function Results({ run, results, text }: ResultsProps) {
  const [output] = useSearchParam("output");
  const places = placesOf(results.columns, results.total, output);
  const part = resultsPart(run);
  const isThere = !isPruned(run, part);
  if (results.columns.length === 0) return <EmptyState text="This process has no outputs." />;
  return (
    <div className="space-y-3">
      <PrunedNote run={run} part={part} />
      {run.partial && <PartialNote run={run} isTruncated={results.truncated === true} />}
      <ResultsToolbar run={run} results={results} places={places} canDownload={isThere && part === "outputs"} />
      {places.itemCount + places.sampleCount === 0 ? (
        <NoMatch text="No results match." filters={["q", "output"]} />
      ) : (
        <Looking run={run} results={results} text={text} places={places} isThere={isThere} />
      )}
      {run.placed !== undefined && (
        <WholeRun run={run} part="outputs">
          {({ placed }) => placed !== undefined && placed !== null && <PlacedFiles files={placed} />}
        </WholeRun>
      )}
    </div>
  );
}

interface LookingProps extends ResultsProps {
  readonly places: ResultPlaces;
  readonly isThere: boolean;
}

/** The gallery, with the viewer over it. */
function Looking({ run, results, text, places, isThere }: LookingProps) {
  const [view] = useSearchParam("view");
  const viewing = useViewing();
  const viewed = parsePlace(viewing.text, places);
  const shared = { runId: run.run_id, results, text };
  const row = useResultRow(shared, viewed?.row ?? 0, viewed !== undefined);
  return (
    <>
      <ResultGallery
        key={text}
        {...{ ...shared, places, isThere }}
        isList={view === "list"}
        viewed={viewed ?? viewing.last}
        onOpen={viewing.open}
        closings={viewing.closings}
      />
      {viewed !== undefined && (
        <ResultViewer
          {...{ runId: run.run_id, columns: results.columns, places, place: viewed, row, isThere }}
          outputsUrl={`${ownUrl(run.url)}/outputs`}
          onMove={viewing.move}
          onClose={() => viewing.close(viewed)}
        />
      )}
    </>
  );
}

/** The result in the viewer, stored in the URL, so that users can link to it and close it with the back button. */
function useViewing() {
  const [text, setText] = useSearchParam("open");
  const [closed, setClosed] = useState<{ readonly last: ResultPlace | undefined; readonly closings: number }>({
    last: undefined,
    closings: 0,
  });
  return {
    text,
    ...closed,
    open: (place: ResultPlace) => setText(placeText(place)),
    move: (place: ResultPlace) => setText(placeText(place), { replace: true }),
    close: (place: ResultPlace) => {
      setClosed({ last: place, closings: closed.closings + 1 });
      setText("", { replace: true });
    },
  };
}

interface ResultsToolbarProps {
  readonly run: Run;
  readonly results: RunResults;
  readonly places: ResultPlaces;
  readonly canDownload: boolean;
}

function ResultsToolbar({ run, results, places, canDownload }: ResultsToolbarProps) {
  const [output, setOutput] = useSearchParam("output");
  const [view, setView] = useSearchParam("view");
  const counts = [
    places.itemCount > 0 ? countText(places.itemCount, "result") : "",
    places.sampleCount > 0 ? countText(places.sampleCount, "sample") : "",
  ];
  const isSmall = results.total <= 1;
  return (
    <Toolbar
      status={counts.filter((count) => count !== "").join(", ")}
      actions={
        canDownload && (
          <a className="btn" href={`${ownUrl(run.url)}/outputs.zip`} download>
            <Icon name="download" className="size-3.5" /> Download all as zip
          </a>
        )
      }
    >
      {!isSmall || output !== "" || results.total === 0 ? <SearchBox label="Find a sample or file" /> : null}
      {results.columns.length > 1 && (
        <Select
          className="w-auto max-w-56"
          aria-label="Output"
          value={output}
          none="All outputs"
          options={results.columns.map(({ output: id, label = id }) => ({ id, label }))}
          onChoose={setOutput}
        />
      )}
      <Segments label="View" options={VIEWS} chosen={view} onChoose={(id) => setView(id, { replace: true })} />
    </Toolbar>
  );
}

const VIEWS = [
  { id: "", label: "Gallery" },
  { id: "list", label: "List" },
] as const;

/** Files that were copied to the output destinations of the run. */
function PlacedFiles({ files }: { readonly files: readonly PlacedFile[] }) {
  return (
    <TitledSection title="Copied to">
      <DataTable
        caption="Copied files"
        columns={COLUMNS}
        rows={files.slice(0, SHOWN)}
        keyOf={({ uri }) => uri}
        empty={<p className="text-soft">No files were copied to the output destinations.</p>}
      />
      {files.length > SHOWN && (
        <p className="mt-2 text-soft">
          and {files.length - SHOWN} more in the run record, below <TextLink to="?tab=info">Inputs → Settings</TextLink>
          .
        </p>
      )}
    </TitledSection>
  );
}
