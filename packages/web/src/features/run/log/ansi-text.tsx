import type { Job } from "@weft/shared/records/job-record.ts";
import { Fragment } from "react";
import { markMatches, parseAnsi } from "../../../format/parse-ansi.ts";

const COLORS: Readonly<Record<string, string>> = {
  bold: "font-bold",
  black: "text-soft",
  red: "text-failed",
  green: "text-success",
  yellow: "text-canceled",
  blue: "text-running",
  magenta: "text-preempted",
  cyan: "text-accent",
};

/** Terminal output with its colors, as text nodes only. */
function AnsiText({ text }: { readonly text: string }) {
  return text.split("\n").map((line, number) => (
    <Fragment key={number}>
      {number > 0 && "\n"}
      <AnsiLine line={line} />
    </Fragment>
  ));
}

/** One line of terminal output with highlighted matches. */
export function AnsiLine({ line, q = "" }: { readonly line: string; readonly q?: string }) {
  return markMatches(parseAnsi(line), q).map(({ text, styles, isMatch }, place) => {
    const className = styles.map((style) => COLORS[style] ?? "").join(" ");
    if (isMatch)
      return (
        <mark key={place} className="rounded-xs bg-accent text-surface">
          {text}
        </mark>
      );
    if (className === "") return <Fragment key={place}>{text}</Fragment>;
    return (
      <span key={place} className={className}>
        {text}
      </span>
    );
  });
}

interface StderrTailProps {
  readonly job: Job;
  /** Shows only a few lines, scrolled to the last one, of the only or first failed job. */
  readonly isShort?: "only" | "first";
}

/** The end of a job's standard error; renders nothing if it is empty. */
export function StderrTail({ job, isShort }: StderrTailProps) {
  const text = job.stderr_tail?.trim() ?? "";
  if (text === "") return null;
  return (
    <section className={isShort === undefined ? "mt-3" : "pt-1"}>
      <h3 className={isShort === undefined ? "mb-1" : "mb-0.5 text-small font-normal text-soft wrap-anywhere"}>
        {isShort === undefined ? "Last lines of stderr" : `Last lines of stderr of ${placeText(job, isShort)}`}
      </h3>
      <div
        tabIndex={0}
        role="region"
        aria-label="Standard error"
        className={`code flex flex-col-reverse overflow-auto rounded-lg border border-line bg-sunken ${isShort === undefined ? "max-h-72 p-3" : "max-h-30 px-3 py-2"}`}
      >
        <pre className={isShort === undefined ? "" : "max-md:whitespace-pre-wrap max-md:wrap-anywhere"}>
          <AnsiText text={text} />
        </pre>
      </div>
    </section>
  );
}

function placeText({ job_id: id, sample_id: sample }: Job, isShort: "only" | "first"): string {
  return `${isShort === "first" ? "the first job, " : ""}${id}${sample === null ? "" : ` (${sample})`}`;
}
