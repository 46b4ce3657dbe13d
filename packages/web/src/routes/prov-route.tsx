import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { runListQuery, runQuery } from "../api/queries/run-queries.ts";
import { sendFile } from "../api/send-file.ts";
import { useRights } from "../api/session-query.ts";
import { FileList } from "../features/provenance/file-list.tsx";
import RunProvenance from "../features/provenance/run-provenance.tsx";
import { processName } from "../format/process-name.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Field, Input } from "../ui/field.tsx";
import { FilePicker } from "../ui/file-picker.tsx";
import { PlainForm } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { StateBadge } from "../ui/state-badge.tsx";
import { TimeAgo } from "../ui/time-text.tsx";
import { TitledSection } from "../ui/titled-section.tsx";
import { useDrop } from "../ui/use-drop.ts";
import { useSearchParam } from "../ui/use-search-param.ts";
import { NameLink, TextLink } from "../ui/text-link.tsx";

/** `/prov?q=&checksum=&tool=&version=` finds files; `/prov?run=&part=` follows the outputs of a run back to its inputs. */
export default function ProvRoute() {
  const [params] = useSearchParams();
  const value = (name: string) => params.get(name) ?? "";
  return (
    <>
      <PageHeading title="Provenance" />
      <FileSearch />
      <Answer value={value} />
    </>
  );
}

function Answer({ value }: { readonly value: (name: string) => string }) {
  const [q, checksum, run, tool] = [value("q"), value("checksum"), value("run"), value("tool")];
  if (q !== "" || checksum !== "" || tool !== "")
    return (
      <FileList
        label="Where the file was read or written"
        search={{
          q: q || undefined,
          checksum: checksum || undefined,
          run: run || undefined,
          tool: tool || undefined,
          version: value("version") || undefined,
        }}
        noun="occurrence"
        empty={checksum === "" ? "No files match this search." : "No run has read or written a file with this content."}
      />
    );
  if (run !== "") return <RunLineage key={run} runId={run} />;
  return (
    <>
      <ImportCrate />
      <RecentRuns />
    </>
  );
}

function RunLineage({ runId }: { readonly runId: string }) {
  const run = useQuery(runQuery(runId));
  return (
    <QueryView query={run}>
      {(data) => (
        <section>
          <h2 className="mb-2">
            Provenance of <TextLink to={`/run/${runId}`}>{data.name}</TextLink>
          </h2>
          <RunProvenance run={data} />
        </section>
      )}
    </QueryView>
  );
}

/** Starting points before the user searches. */
function RecentRuns() {
  const runs = useQuery(runListQuery({ state: "COMPLETE", page_size: 8 }));
  return (
    <TitledSection title="Or start from a run">
      <QueryView query={runs}>
        {(data) =>
          data.runs.length === 0 ? (
            <EmptyState text="No successful runs yet." />
          ) : (
            <ul className="card divide-y divide-line">
              {data.runs.map((run) => (
                <li key={run.run_id} className="flex flex-wrap items-center gap-3 px-4 py-2">
                  <StateBadge state={run.state} />
                  <NameLink to={`/prov?run=${run.run_id}`}>{run.name}</NameLink>
                  <span className="text-soft">{processName(run)}</span>
                  <span className="ml-auto text-soft">
                    <TimeAgo time={run.created_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </TitledSection>
  );
}

/** Imports a run of another server from the zip of its crate, and opens it. */
function ImportCrate() {
  const navigate = useNavigate();
  const [status, setStatus] = useState("");
  const { has } = useRights();
  if (!has("admin")) return null;
  const take = async (file: File): Promise<void> => {
    const path = "/api/provenance/crates";
    const tell = (fraction: number): void =>
      setStatus(fraction < 1 ? `Uploading ${file.name}: ${Math.floor(fraction * 100)}%` : `Verifying ${file.name}…`);
    tell(0);
    try {
      const run = await sendFile<Run>({ path, file, mediaType: "application/zip" }, tell).done;
      void navigate(`/run/${run.run_id}`);
    } catch (error) {
      setStatus(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <FilePicker
        label="Crate to import"
        accept=".zip,application/zip"
        icon="file"
        text="Import crate…"
        onFiles={([file]) => void take(file)}
      />
      <p aria-live="polite" className="min-w-0 flex-1 text-small wrap-anywhere text-soft">
        {status === ""
          ? "Import a run of another server or engine (Workflow Run RO-Crate, .zip). Weft verifies it first."
          : status}
      </p>
    </div>
  );
}

const FIELDS = [
  { name: "q", label: "File name", placeholder: "e.g. measures.csv" },
  { name: "checksum", label: "Checksum", placeholder: "sha1$… or sha256…" },
  { name: "tool", label: "Tool", placeholder: "e.g. threshold" },
  { name: "version", label: "Version", placeholder: "e.g. 2.0.0" },
] as const;

/** A search form; a dropped file is hashed in the browser and looked up by its checksum. */
function FileSearch() {
  const [params, setParams] = useSearchParams();
  const [run, setRun] = useSearchParam("run");
  const submit = (form: FormData): void => {
    const fields = FIELDS.map(({ name }): [string, string] => [name, String(form.get(name) ?? "").trim()]);
    const asked: [string, string][] = [...fields, ["run", run]];
    setParams(asked.filter(([, value]) => value !== ""));
  };
  return (
    <div className="card mb-4 grid gap-x-6 gap-y-3 p-4 xl:grid-cols-[minmax(0,1fr)_auto]">
      <PlainForm
        key={params.toString()}
        onSubmit={submit}
        role="search"
        className="grid grid-cols-2 content-start gap-3 md:grid-cols-[2fr_2fr_1fr_1fr_auto]"
      >
        {FIELDS.map(({ label, ...field }) => (
          <Field key={field.name} label={label}>
            <Input autoComplete="off" spellCheck={false} {...field} defaultValue={params.get(field.name) ?? ""} />
          </Field>
        ))}
        <div className="col-span-2 flex items-end gap-2 md:col-span-1">
          <Button look="primary" type="submit">
            <Icon name="search" /> Search
          </Button>
          <Button look="quiet" onClick={() => setParams([])}>
            Clear
          </Button>
        </div>
        {run !== "" && <WithinRun runId={run} onClear={() => setRun("")} />}
      </PlainForm>
      <HashDrop onHashed={(checksum) => setParams([["checksum", checksum]])} />
    </div>
  );
}

/** The search is limited to one run. */
function WithinRun({ runId, onClear }: { readonly runId: string; readonly onClear: () => void }) {
  const run = useQuery(runQuery(runId));
  return (
    <p className="col-span-full flex flex-wrap items-center gap-2 text-soft">
      Within the run <strong className="font-semibold text-ink">{run.data?.name ?? "…"}</strong>
      <Button small onClick={onClear}>
        Search all runs
      </Button>
    </p>
  );
}

function HashDrop({ onHashed }: { readonly onHashed: (checksum: string) => void }) {
  const [status, setStatus] = useState("");
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setStatus(`Hashing ${file.name}…`);
    try {
      onHashed(await hashFile(file));
      setStatus("");
    } catch (error) {
      setStatus(error instanceof Error ? error.message : String(error));
    }
  };
  const { handlers } = useDrop(({ files }) => void take(files[0]));
  return (
    <div
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-[10px] border border-dashed border-edge px-4 py-2 xl:w-80"
      {...handlers}
    >
      <p className="w-full font-semibold">Where does this file come from?</p>
      <FilePicker
        label="File to look up"
        icon="file"
        text="Select or drop a file"
        onFiles={([file]) => void take(file)}
      />
      <p aria-live="polite" className="min-w-40 flex-1 text-small text-soft">
        {status === "" ? "Only its checksum is looked up; the file stays here." : status}
      </p>
    </div>
  );
}

const LARGEST_BYTES = 1024 ** 3;

/**
 * SHA-1 of a file in CWL's form, `sha1$…`, computed in the browser: nothing is sent. Throws for files above 1 GiB,
 * which the browser would have to hold in memory as a whole.
 */
export async function hashFile(file: Blob): Promise<string> {
  if (file.size > LARGEST_BYTES)
    throw new Error("Files over 1 GiB cannot be hashed in the browser. Enter the checksum instead.");
  const digest = await crypto.subtle.digest("SHA-1", await file.arrayBuffer());
  return `sha1$${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
