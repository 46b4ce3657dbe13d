import { type MouseEvent, memo } from "react";
import { useNavigate } from "react-router-dom";
import type { LogStream } from "../../../api/queries/job-queries.ts";
import { AnsiLine } from "./ansi-text.tsx";
import { LINE_PX, type LineRange, lineHash } from "./log-window.ts";

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
