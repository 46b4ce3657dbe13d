import { Fragment } from "react";
import { parseAnsi } from "../../format/parse-ansi.ts";

const COLOURS: Readonly<Record<string, string>> = {
  bold: "font-bold",
  black: "text-soft",
  red: "text-failed",
  green: "text-success",
  yellow: "text-canceled",
  blue: "text-running",
  magenta: "text-preempted",
  cyan: "text-accent",
};

/** Terminal output with its colours, as text nodes only. */
export function AnsiText({ text }: { readonly text: string }) {
  return text.split("\n").map((line, number) => (
    <Fragment key={number}>
      {number > 0 && "\n"}
      <AnsiLine line={line} />
    </Fragment>
  ));
}

/** One line of terminal output. */
export function AnsiLine({ line }: { readonly line: string }) {
  return parseAnsi(line).map((run, place) =>
    run.styles.length === 0 ? (
      <Fragment key={place}>{run.text}</Fragment>
    ) : (
      <span key={place} className={run.styles.map((style) => COLOURS[style] ?? "").join(" ")}>
        {run.text}
      </span>
    ),
  );
}
