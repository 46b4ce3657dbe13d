import { useQuery } from "@tanstack/react-query";
import type { RunLineage } from "@weft/shared/records/lineage-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { provenanceUrl, runLineageQuery, type FileSearch } from "../../api/lineage-queries.ts";
import { countText } from "../../format/count-text.ts";
import { Icon } from "../../ui/icon.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { FileList } from "./file-list.tsx";
import { filesId } from "./fold-lineage.ts";
import { LineageGraph } from "./lineage-graph.tsx";
import { LinkedRuns } from "./linked-runs.tsx";
import { PartTitle } from "./part-title.tsx";
import { SampleChoice } from "./sample-choice.tsx";

export interface RunProvenanceProps {
  readonly run: Run;
  /** Output whose details are open at first, "" for none. */
  readonly port: string;
}

/** A run as a graph of files and jobs, the story of each file in a sentence, and the runs before and after it. */
export default function RunProvenance({ run, port }: RunProvenanceProps) {
  const [depth] = useSearchParam("depth");
  const [sample, setSample] = useSearchParam("sample");
  const search = { depth: Number(depth || "1"), sample: sample || undefined };
  const lineage = useQuery(runLineageQuery(run.run_id, search));
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {run.samples.length > 0 && <SampleChoice samples={run.samples} value={sample} onChange={setSample} />}
        <p className="min-h-6 min-w-0 max-md:order-last max-md:min-h-12 max-md:w-full">
          {lineage.data !== undefined && summary(lineage.data)}
        </p>
        <Exports runId={run.run_id} />
      </div>
      <QueryView query={lineage}>
        {(data) => <Lineage run={run} lineage={data} sample={sample} port={port} />}
      </QueryView>
    </div>
  );
}

interface LineageProps extends RunProvenanceProps {
  readonly lineage: RunLineage;
  readonly sample: string;
}

function Lineage({ run, lineage, sample, port }: LineageProps) {
  const [part, setPart] = useSearchParam("part");
  const { search, title } = wanted(run.run_id, lineage, { part, sample });
  return (
    <>
      <LineageGraph key={run.run_id} lineage={lineage} selected={part} onSelect={setPart} />
      <LinkedRuns lineage={lineage} />
      <section aria-label={title}>
        <PartTitle run={run} lineage={lineage} part={part} title={title} onClear={() => setPart("")} />
        <FileList
          key={part + sample}
          label={title}
          search={search}
          noun="file"
          empty={part === "" && sample === "" ? "No output files." : "No files here."}
          openPort={part === "" ? port : ""}
        />
      </section>
    </>
  );
}

/** `27 output files, made by 26 jobs in 7 steps from 6 input files.` */
function summary({ steps, files, flows }: RunLineage): string {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const jobs = sum(steps.flatMap(({ job_counts: counts }) => Object.values(counts)));
  const ran = steps.filter(({ job_counts: counts }) => Object.keys(counts).length > 0).length;
  const inputs = sum(files.filter(({ step }) => step === null).map((group) => group.files));
  const outputs = sum(flows.filter(({ output }) => output !== null).map((flow) => flow.files));
  const by = `${countText(jobs, "job")} in ${countText(ran, "step")}`;
  const from = inputs === 0 ? "" : ` from ${countText(inputs, "input file")}`;
  return `${countText(outputs, "output file")}, made by ${by}${from}.`;
}

interface Choice {
  /** Id of the selected node of the graph, "" for none. */
  readonly part: string;
  readonly sample: string;
}

/** The files to list: those of the selected node, of the sample, or the outputs of the run. */
function wanted(run: string, lineage: RunLineage, { part, sample }: Choice) {
  const of = sample === "" ? {} : { sample };
  const suffix = sample === "" ? "" : ` of ${sample}`;
  const group = lineage.files.find(({ step, port }) => filesId(step, port) === part);
  const result = (title: string, search: Omit<FileSearch, "pageSize">) => ({ title, search: { run, ...search } });
  if (group !== undefined && group.step === null) {
    const { port, name, files } = group;
    const only = files === 1 ? { q: name } : {};
    return result(`Input ${port}`, { scope: "run", direction: "input", port, ...only });
  }
  if (group !== undefined) {
    const { step, port } = group;
    return result(`${port}${suffix}`, { scope: "job", direction: "output", step: step ?? "", port, ...of });
  }
  const step = lineage.steps.find((entry) => part === `jobs:${entry.step}`);
  if (step !== undefined) {
    const title = `Files made by ${step.label ?? (step.step === "" ? "the tool" : step.step)}${suffix}`;
    return result(title, { scope: "job", direction: "output", step: step.step, ...of });
  }
  if (sample !== "") return result(`Files made for ${sample}`, { scope: "job", direction: "output", ...of });
  return result("Outputs", { scope: "run", direction: "output" });
}

function Exports({ runId }: { readonly runId: string }) {
  return (
    <div className="ml-auto flex flex-wrap gap-2">
      <a className="btn" href={provenanceUrl(runId, "ro-crate")} download={`crate-${runId}.zip`}>
        <Icon name="download" /> Crate
      </a>
      <a className="btn" href={provenanceUrl(runId, "prov-json")} download={`${runId}.prov.json`}>
        <Icon name="download" /> PROV-JSON
      </a>
    </div>
  );
}
