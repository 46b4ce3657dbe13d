import type { Job } from "@weft/shared/records/job-record.ts";
import { Fragment, memo, type MouseEvent } from "react";
import { useNavigate } from "react-router-dom";
import type { LogStream } from "../../../api/queries/job-queries.ts";
import { markMatches, parseAnsi } from "../../../format/parse-ansi.ts";
import { LINE_PX, lineHash, type LineRange } from "./log-window.ts";

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

type LineLook = "" | "linked" | "found";

/** Highlight style of a line (from 0). */
export function lookOf(line: number, linked: LineRange | undefined, found: number | undefined): LineLook {
  if (line === found) return "found";
  return linked !== undefined && line + 1 >= linked.first && line + 1 <= linked.last ? "linked" : "";
}

const LOOKS: Readonly<Record<LineLook, string>> = {
  "": "hover:bg-sunken",
  linked: "bg-accent-soft",
  found: "bg-accent-soft outline outline-accent -outline-offset-1",
};

/** Maximum number of displayed characters. */
const MAX_CHARS = 4000;

interface LogLineProps {
  /** Line number, from 1; undefined if not known yet. */
  readonly number: number | undefined;
  readonly text: string | undefined;
  /** The position; undefined in the flow of wrapped lines. */
  readonly top: number | undefined;
  readonly look: LineLook;
  readonly linked: LineRange | undefined;
  /** Search text; all matches are marked. */
  readonly q: string;
  readonly stream: LogStream;
}

/** One line: its number as a link, and its text with the tool's colors. */
export const LogLine = memo(function LogLine({ number, text, top, look, linked, q, stream }: LogLineProps) {
  return (
    <div
      data-line={number}
      className={`flex ${top === undefined ? "wrap-anywhere whitespace-pre-wrap" : "absolute left-0 w-max min-w-full whitespace-pre"} ${LOOKS[look]}`}
      style={{ top, height: top === undefined ? undefined : LINE_PX, lineHeight: `${LINE_PX}px` }}
    >
      <LineNumber number={number} linked={linked} stream={stream} />
      <span className="min-w-0 pr-4">
        {text === undefined ? "…" : <AnsiLine line={text.slice(0, MAX_CHARS)} q={q} />}
        {text !== undefined && text.length > MAX_CHARS && <span className="text-soft"> … cut here</span>}
      </span>
    </div>
  );
});

const NUMBER_CLASS = "sticky left-0 w-18 shrink-0 bg-surface pr-3 text-right text-soft select-none";

function LineNumber({ number, linked, stream }: Pick<LogLineProps, "number" | "linked" | "stream">) {
  const navigate = useNavigate();
  if (number === undefined)
    return (
      <span aria-hidden="true" className={NUMBER_CLASS}>
        ·
      </span>
    );
  const link = (event: MouseEvent): void => {
    event.preventDefault();
    const other = event.shiftKey && linked !== undefined ? linked.first : number;
    const range = { first: Math.min(number, other), last: Math.max(number, other) };
    void navigate({ search: searchOf(stream), hash: lineHash(range) }, { replace: true, preventScrollReset: true });
  };
  return (
    <a
      href={`${searchOf(stream)}#L${number}`}
      aria-label={`Line ${number}`}
      tabIndex={-1}
      onClick={link}
      className={`${NUMBER_CLASS} hover:text-accent hover:underline`}
    >
      {number}
    </a>
  );
}

/** A line link always includes its stream. */
function searchOf(stream: LogStream): string {
  const params = new URLSearchParams(location.search);
  params.set("stream", stream);
  return `?${params}`;
}
