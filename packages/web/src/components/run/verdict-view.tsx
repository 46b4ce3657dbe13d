import type { ComparedThing, Verdict } from "@weft/shared/records/comparison-record.ts";
import { links } from "../../format/links.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { TextLink } from "../../ui/text-link.tsx";

const WORDS = { identical: "Identical", within_tolerance: "Within tolerance", different: "Different" } as const;
const TONES = { identical: "text-success", within_tolerance: "text-canceled", different: "text-failed" } as const;
const COLUMNS: readonly Column<ComparedThing>[] = [
  { label: "Item", className: "font-medium wrap-anywhere", render: ({ name }) => name },
  { label: "Result", render: ({ result }) => WORDS[result].toLowerCase() },
  { label: "Difference", className: "code wrap-anywhere", render: ({ detail }) => detail },
];

interface VerdictViewProps {
  readonly verdict: Verdict;
  /** The compared run: the jobs belong to it. */
  readonly runId: string;
}

/** The result of comparing two runs: a word, a sentence, and all differences. */
export function VerdictView(props: VerdictViewProps) {
  const { inputs, outputs, surroundings } = props.verdict;
  return (
    <div className="space-y-3">
      <VerdictSentence {...props} />
      {outputs.length > 0 && <ComparedThings caption="Different outputs" things={outputs} />}
      {inputs.length > 0 && <ComparedThings caption="Different inputs" things={inputs} />}
      {surroundings.length > 0 && (
        <div>
          <h3 className="label-caps">Other differences</h3>
          <ul className="list-disc pl-5">
            {surroundings.map((text) => (
              <li key={text} className="wrap-anywhere">
                {text}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** The verdict in a word and a sentence, with a link to the job where the runs diverged. */
export function VerdictSentence({ verdict, runId }: VerdictViewProps) {
  const { result, sentence, first_difference: first } = verdict;
  return (
    <>
      <p>
        <strong className={TONES[result]}>{WORDS[result]}.</strong> {sentence}
      </p>
      {first !== null && (
        <p>
          <TextLink to={links.run(runId, { tab: "jobs", job: first.job_id })}>First diverging job</TextLink>
          {first.output != null && (
            <>
              {" "}
              (<span className="code wrap-anywhere">{first.output}</span>)
            </>
          )}
        </p>
      )}
    </>
  );
}

function ComparedThings({ caption, things }: { readonly caption: string; readonly things: readonly ComparedThing[] }) {
  return (
    <div>
      <h3 className="label-caps mb-1">{caption}</h3>
      <DataTable caption={caption} columns={COLUMNS} rows={things} keyOf={({ name }) => name} />
    </div>
  );
}
