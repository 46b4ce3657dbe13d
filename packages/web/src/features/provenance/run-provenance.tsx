import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { RunLineage } from "@weft/shared/records/lineage-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { basePath } from "../../api/base-path.ts";
import { routeQuery } from "../../api/route-query.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { links } from "../../format/links.ts";
import { sampleTotal } from "../../format/sample-total.ts";
import { Button } from "../../ui/button.tsx";
import { Input, useTextOf } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PlainForm } from "../../ui/form.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { TextLink } from "../../ui/text-link.tsx";
import { FileList, type FileSearch } from "./file-list.tsx";
import { filesId } from "./fold-lineage.ts";
import { LineageGraph } from "./lineage-graph.tsx";
import { LinkedRuns } from "./linked-runs.tsx";

interface RunProvenanceProps {
  readonly run: Run;
}

/** The maximum number of suggested names. */
const SUGGESTED = 50;

/** A run as a graph of files and jobs, the origin of each file in a sentence, and the runs before and after it. */
export default function RunProvenance({ run }: RunProvenanceProps) {
  const [depth] = useSearchParam("depth");
  const [sample, setSample] = useSearchParam("sample");
  const request = { params: { run_id: run.run_id }, query: { depth: Number(depth || "1"), sample } };
  const lineage = useQuery({
    ...routeQuery("GET /api/runs/{run_id}/lineage", request),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {run.samples.length > 0 && <SampleChoice samples={run.samples} value={sample} onChange={setSample} />}
        <p className="min-h-6 min-w-0 max-md:order-last max-md:min-h-12 max-md:w-full">
          {lineage.data !== undefined && summary(lineage.data)}
        </p>
        <Exports runId={run.run_id} />
      </div>
      <QueryView query={lineage}>{(data) => <Lineage run={run} lineage={data} sample={sample} />}</QueryView>
    </div>
  );
}

interface LineageProps extends RunProvenanceProps {
  readonly lineage: RunLineage;
  readonly sample: string;
}

function Lineage({ run, lineage, sample }: LineageProps) {
  const [chosen, setPart] = useSearchParam("part");
  const part = partOf(lineage, chosen);
  const { search, title } = filesToList(run.run_id, lineage, { part, sample });
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
          opensFirst={chosen !== part}
        />
      </section>
    </>
  );
}

/** The node of the graph that `?part=` means; an output of the run means the files that it contains. */
function partOf({ flows }: RunLineage, chosen: string): string {
  const flow = flows.find(({ output }) => output !== null && chosen === `output:${output}`);
  return flow === undefined || flow.port === null ? chosen : filesId(flow.from, flow.port);
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
function filesToList(run: string, lineage: RunLineage, { part, sample }: Choice) {
  const of = sample === "" ? {} : { sample };
  const suffix = sample === "" ? "" : ` of ${sample}`;
  const group = lineage.files.find(({ step, port }) => filesId(step, port) === part);
  const result = (title: string, search: FileSearch) => ({ title, search: { run, ...search } });
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
  const address = `${basePath}/api/runs/${runId}/provenance`;
  return (
    <div className="ml-auto flex flex-wrap gap-2">
      <a className="btn" href={`${address}?format=ro-crate`} download={`crate-${runId}.zip`}>
        <Icon name="download" /> Crate
      </a>
      <a className="btn" href={`${address}?format=prov-json`} download={`${runId}.prov.json`}>
        <Icon name="download" /> PROV-JSON
      </a>
    </div>
  );
}

interface PartTitleProps {
  readonly run: Run;
  readonly lineage: RunLineage;
  /** Id of the selected node, "" for none. */
  readonly part: string;
  readonly title: string;
  readonly onClear: () => void;
}

/** The title of the list; for a step also a link to its jobs. */
function PartTitle({ run, lineage, part, title, onClear }: PartTitleProps) {
  const step = lineage.steps.find((entry) => part === `jobs:${entry.step}`);
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="wrap-anywhere">{title}</h2>
      {/* `smooth 1.0.0`, linked to that version of the tool. */}
      {step?.tool != null && <TextLink to={`/tool/${step.tool.replace(" ", "/")}`}>{step.tool}</TextLink>}
      {step !== undefined && (
        <TextLink
          to={links.run(run.run_id, {
            tab: "jobs",
            ...(step.job_id === null ? { step: step.step } : { job: step.job_id }),
          })}
        >
          {step.job_id === null ? "Its jobs" : "Its job"}
        </TextLink>
      )}
      {part !== "" && (
        <Button small className="ml-auto" onClick={onClear}>
          Show all outputs
        </Button>
      )}
    </div>
  );
}

interface SampleChoiceProps {
  /** The first 1,000 samples; users can type other names. */
  readonly samples: readonly string[];
  /** "" for all together. */
  readonly value: string;
  readonly onChange: (sample: string) => void;
}

/** One sample, or all of them together. */
function SampleChoice({ samples, value, onChange }: SampleChoiceProps) {
  const [text, setText] = useTextOf(value);
  const total = sampleTotal({ samples });
  const proposed = samples.filter((name) => name.includes(text) && name !== text).slice(0, SUGGESTED);
  const choose = (name: string): void => {
    setText(name);
    if (name === "" || samples.includes(name)) onChange(name);
  };
  return (
    <PlainForm className="flex items-center gap-2" onSubmit={() => onChange(text.trim())}>
      <label className="flex items-center gap-2">
        <span className="font-semibold">Sample</span>
        <Input
          className="w-48"
          proposals={proposed.map((id) => ({ id }))}
          value={text}
          placeholder={`all ${total === undefined ? "" : `${numberText(total)} `}together`}
          autoComplete="off"
          spellCheck={false}
          onType={choose}
        />
      </label>
      {value !== "" && <Button onClick={() => choose("")}>All samples</Button>}
    </PlainForm>
  );
}
