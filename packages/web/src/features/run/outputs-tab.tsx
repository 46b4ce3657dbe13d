import type { CwlJsonObject } from "@weft/shared/records/primitives.ts";
import type { Run, RunOutputs } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { Link } from "react-router-dom";
import { ChecksumLink } from "../../components/checksum-link.tsx";
import { contentUrl } from "../../components/file-link.tsx";
import { ValueView } from "../../components/value-view.tsx";
import { ownUrl, withQuery } from "../../api/own-url.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { fileName, isFileValue, isObject, type FileValue } from "../../format/value-text.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PartialOutputs, PartialValue } from "./partial-outputs.tsx";
import { PlacedFiles } from "./placed-files.tsx";
import { FilePreview, type FilePreviewProps } from "./preview/file-preview.tsx";
import { previewKind } from "./preview/preview-kind.ts";
import { isPruned, PrunedNote } from "./run-storage.tsx";
import { WholeRun } from "./whole-run.tsx";

/** What the run gave, by output: files with size, checksum, preview and download; everything else as it is. */
export default function OutputsTab({ run }: { readonly run: Run }) {
  return (
    <WholeRun run={run} part="outputs">
      {(whole) => <Outputs run={whole} />}
    </WholeRun>
  );
}

function Outputs({ run }: { readonly run: Run }) {
  if (run.partial)
    return (
      <PartialOutputs run={run}>
        {(produced) => <OutputList run={run} outputs={produced.outputs ?? {}} produced={produced} />}
      </PartialOutputs>
    );
  if (run.outputs !== null) return <OutputList run={run} outputs={run.outputs} />;
  return (
    <EmptyState
      text={STATE_LOOKS[run.state].final ? "No outputs: no job succeeded." : "Available when the run finishes."}
    />
  );
}

interface OutputListProps {
  readonly run: Run;
  readonly outputs: CwlJsonObject;
  /** Outputs of a run that did not succeed. */
  readonly produced?: RunOutputs;
}

function OutputList({ run, outputs, produced }: OutputListProps) {
  const entries = Object.entries(outputs);
  if (entries.length === 0) return <EmptyState text="This process has no outputs." />;
  const isThere = !isPruned(run, run.outputs === null ? "intermediate" : "outputs");
  const renderFile = (file: FileValue) => <OutputFile file={file} isThere={isThere} />;
  return (
    <div className="space-y-5">
      <PrunedNote run={run} part={run.outputs === null ? "intermediate" : "outputs"} />
      {isThere && run.outputs !== null && holdsFiles(run.outputs) && (
        <a className="btn" href={`${ownUrl(run.url)}/outputs.zip`} download>
          <Icon name="download" className="size-3.5" /> Download all as zip
        </a>
      )}
      {entries.map(([id, value]) => (
        <section key={id} aria-labelledby={`output-${id}`}>
          <div className="mb-2 flex flex-wrap items-baseline gap-x-4">
            <h2 id={`output-${id}`}>{id}</h2>
            <Link className="link text-[0.8125rem]" to={`/prov?run=${run.run_id}&port=${encodeURIComponent(id)}`}>
              Where does this come from?
            </Link>
          </div>
          {produced === undefined ? (
            <ValueView value={value} renderFile={renderFile} />
          ) : (
            <PartialValue output={id} produced={produced} value={value} renderFile={renderFile} />
          )}
        </section>
      ))}
      {run.placed !== undefined && run.placed !== null && <PlacedFiles files={run.placed} />}
    </div>
  );
}

function holdsFiles(value: unknown): boolean {
  if (isFileValue(value)) return true;
  return isObject(value) || Array.isArray(value) ? Object.values(value).some(holdsFiles) : false;
}

/** A removed file still shows its name, size and checksum. */
function OutputFile({ file, isThere }: { readonly file: FileValue; readonly isThere: boolean }) {
  const url = isThere ? contentUrl(file) : undefined;
  const name = fileName(file);
  const inner = file.class === "Directory" ? (file.listing ?? []) : (file.secondaryFiles ?? []);
  return (
    <div className="card mb-2 p-3">
      <FileLine file={file} url={url} />
      {url !== undefined && previewKind(name) !== "none" && (
        <FoldedPreview url={url} name={name} sizeBytes={file.size} />
      )}
      {inner.length > 0 && (
        <ul className="mt-2 ml-4">
          {inner.map((part) => (
            <li key={part.location ?? fileName(part)}>
              <OutputFile file={part} isThere={isThere} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function FileLine({ file, url }: { readonly file: FileValue; readonly url: string | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="flex min-w-0 items-center gap-2 font-medium wrap-anywhere">
        <Icon name={file.class === "File" ? "file" : "folder"} className="size-4 text-soft" />
        {fileName(file)}
      </span>
      {file.size !== undefined && <span className="text-soft tabular-nums">{formatBytes(file.size)}</span>}
      {file.checksum !== undefined && (
        <span className="flex min-w-0 items-center gap-1">
          <ChecksumLink checksum={file.checksum} />
          <CopyButton text={file.checksum} label="Copy checksum" className="btn btn-quiet btn-small" />
        </span>
      )}
      {url !== undefined && (
        <span className="ml-auto flex gap-2">
          <a className="btn btn-small" href={url}>
            <Icon name="external" className="size-3.5" /> Open
          </a>
          <a className="btn btn-small" href={withQuery(url, "download", "true")} download>
            <Icon name="download" className="size-3.5" /> Download
          </a>
        </span>
      )}
    </div>
  );
}

/** The preview is read when it is opened for the first time. */
function FoldedPreview(props: FilePreviewProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details className="mt-2" onToggle={(event) => event.currentTarget.open && setWasOpened(true)}>
      <summary className="w-fit cursor-pointer font-medium text-accent">Preview {props.name}</summary>
      <div className="mt-2">{wasOpened && <FilePreview {...props} />}</div>
    </details>
  );
}
