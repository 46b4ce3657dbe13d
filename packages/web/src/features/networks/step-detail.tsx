import type { StepRecord } from "@weft/shared/records/process-record.ts";
import { Link } from "react-router-dom";
import { DocText } from "../../components/markdown/doc-text.tsx";
import { valueText } from "../../format/value-text.ts";
import { Facts, type Fact } from "../../ui/facts.tsx";

/** What the network says of one of its steps. */
export function StepDetail({ step }: { readonly step: StepRecord }) {
  return (
    <section aria-labelledby="step-title" className="card p-4">
      <h2 id="step-title">{step.label ?? step.id}</h2>
      {step.doc !== undefined && <DocText text={step.doc} />}
      <div className="mt-3 grid gap-x-8 gap-y-4 md:grid-cols-2">
        <Facts facts={factsOf(step)} />
        <div>
          <h3 className="mb-1">Inputs</h3>
          <ul className="space-y-1">
            {step.in.map((input) => (
              <li key={input.id}>
                <span className="font-medium">{input.id}</span> <span className="text-soft">{sourceText(input)}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}

function factsOf(step: StepRecord): readonly Fact[] {
  return [
    ["Runs", <RunLink key="run" step={step} />],
    ...(step.scatter.length > 0
      ? [
          [
            "Scatter",
            `${step.scatter.join(", ")}${step.scatter_method === undefined ? "" : ` (${step.scatter_method})`}`,
          ] as const,
        ]
      : []),
    ...(step.when === undefined
      ? []
      : [
          [
            "When",
            <code key="when" className="code">
              {step.when}
            </code>,
          ] as const,
        ]),
    ["Outputs", step.out.join(", ") || "none"],
  ];
}

function RunLink({ step: { run } }: { readonly step: StepRecord }) {
  const text = [run.id ?? run.label ?? "a process inside this document", run.version ?? ""].join(" ").trim();
  if (run.id === undefined || run.kind === "inline")
    return (
      <>
        {text} ({run.class})
      </>
    );
  const to =
    run.kind === "tool" ? `/tool/${run.id}${run.version === undefined ? "" : `/${run.version}`}` : `/network/${run.id}`;
  return (
    <Link className="link" to={to}>
      {text}
    </Link>
  );
}

function sourceText(input: StepRecord["in"][number]): string {
  const parts: string[] = [];
  if (input.source.length > 0) parts.push(`← ${input.source.join(", ")}`);
  if (input.default !== undefined) parts.push(`default ${valueText(input.default)}`);
  if (input.value_from !== undefined) parts.push(`= ${input.value_from}`);
  return parts.join("; ");
}
