import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { routeQuery } from "../api/route-query.ts";
import { contentUrl, FileLink } from "../components/file-link.tsx";
import { ParameterName } from "../components/process/parameter-tables.tsx";
import { ValueView } from "../components/value-view.tsx";
import { RunDataset } from "../features/datasets/run-dataset.tsx";
import { type EffectiveInput, effectiveInputs } from "../features/run/effective-inputs.ts";
import { WholeRun } from "../features/run/whole-run.tsx";
import { links } from "../format/links.ts";
import { fileName, folderText, type FileValue } from "../format/value-text.ts";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { Icon } from "../ui/icon.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { isWesDocument } from "@weft/shared/records/wes-document-id.ts";
import { networkQuery, toolQuery } from "../api/queries/catalog-queries.ts";

const SHOWN_CONTENTS = 500;

/** The query that gave a run its samples, if any, and its inputs. */
export default function RunInputs({ run }: { readonly run: Run }) {
  // The query that gave the run its samples never changes.
  const { data, isPending } = useQuery({
    ...routeQuery("GET /api/runs/{run_id}/dataset", { params: { run_id: run.run_id } }),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  if (isPending) return <Skeleton rows={8} />;
  return (
    <div className="space-y-5">
      {data?.dataset != null && <RunDataset run={run} dataset={data.dataset} />}
      <InputsTab run={run} />
    </div>
  );
}

/** The inputs of the run: values of the request, and defaults. */
function InputsTab({ run }: { readonly run: Run }) {
  const declared = useDeclaredInputs(run);
  if (declared.isPending) return <Skeleton rows={8} />;
  return (
    <>
      {declared.isOther && (
        <p className="mb-3 text-canceled">
          {declared.inputs.length === 0
            ? "This run's document is no longer in the catalog, so defaults are not shown."
            : "The document changed since this run; defaults are from the current version."}
        </p>
      )}
      <WholeRun run={run} part="inputs">
        {({ inputs }) => <InputTable run={run} inputs={effectiveInputs(inputs ?? {}, declared.inputs)} />}
      </WholeRun>
    </>
  );
}

function InputTable({ run, inputs }: { readonly run: Run; readonly inputs: readonly EffectiveInput[] }) {
  const columns: readonly Column<EffectiveInput>[] = [
    { label: "Input", bare: true, render: (input) => <ParameterName {...input} /> },
    { label: "Value", className: "wrap-anywhere md:w-1/2", render: (input) => <InputValue run={run} input={input} /> },
    { label: "Type", className: "code text-soft", render: ({ type }) => type },
  ];
  return (
    <DataTable
      caption="Run inputs"
      columns={columns}
      rows={inputs}
      keyOf={({ id }) => id}
      attributesOf={() => ({ className: "*:align-top!" })}
      empty="This run has no inputs."
    />
  );
}

function InputValue({ run, input: { source, value } }: { readonly run: Run; readonly input: EffectiveInput }) {
  if (source === "none") return <span className="text-soft">not set</span>;
  return (
    // One element: on a phone, a cell is next to its label.
    <div className="min-w-0">
      <ValueView value={value} renderFile={(file) => <InputFile run={run} file={file} />} />
      {source === "default" && (
        <span className="ml-2 rounded bg-sunken px-1.5 py-0.5 text-small text-soft">default</span>
      )}
    </div>
  );
}

/** Links to the content if this server has it as a file of a run, else to the uses of the file. */
function InputFile({ run, file }: { readonly run: Run; readonly file: FileValue }) {
  return (
    <>
      {contentUrl(file) === undefined && file.contents === undefined ? (
        <span className="inline-flex max-w-full items-center gap-1.5" title={file.location ?? file.path}>
          <Icon name={file.class === "File" ? "file" : "folder"} className="size-3.5 text-soft" />
          <Link className="link truncate" to={links.files({ q: fileName(file), run: run.run_id })}>
            {fileName(file)}
          </Link>
        </span>
      ) : (
        <FileLink file={file} />
      )}
      <span className="ml-2 text-small text-soft">{folderText(file)}</span>
      {file.contents !== undefined && <Contents text={file.contents} />}
      {file.secondaryFiles !== undefined && file.secondaryFiles.length > 0 && (
        <ul className="border-l-2 border-line pl-3">
          {file.secondaryFiles.map((other) => (
            <li key={other.location ?? fileName(other)}>
              <InputFile run={run} file={other} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Contents({ text }: { readonly text: string }) {
  const isLong = text.length > SHOWN_CONTENTS;
  return (
    <pre className="code mt-0.5 max-h-32 overflow-auto border-l-2 border-line pl-3 whitespace-pre-wrap text-soft">
      {isLong ? `${text.slice(0, SHOWN_CONTENTS)}…` : text}
    </pre>
  );
}

/** The inputs of a run's document, if the server still has it; `isOther`: the catalog has a different version, or none. */
function useDeclaredInputs({ network, tool }: Run) {
  const { id = "" } = network ?? tool ?? {};
  const isArrived = isWesDocument(id);
  const ofNetwork = useQuery({
    ...networkQuery(id, network?.version ?? undefined),
    enabled: network !== undefined && !isArrived,
  });
  const ofTool = useQuery({
    ...toolQuery(id, tool?.version ?? undefined),
    enabled: tool !== undefined && !isArrived,
  });
  const arrived = useQuery({
    ...routeQuery("GET /api/wes-documents/{digest}", { params: { digest: id } }),
    enabled: isArrived,
  });
  const { data, isPending } = isArrived ? arrived : network === undefined ? ofTool : ofNetwork;
  return { isPending, inputs: data?.inputs ?? [], isOther: data?.digest !== (network ?? tool)?.digest };
}
