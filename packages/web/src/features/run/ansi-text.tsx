import { Fragment } from "react";
import { markMatches } from "../../format/mark-matches.ts";
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

/** One line of terminal output with highlighted matches. */
export function AnsiLine({ line, q = "" }: { readonly line: string; readonly q?: string }) {
  return markMatches(parseAnsi(line), q).map(({ text, styles, isMatch }, place) => {
    const className = styles.map((style) => COLOURS[style] ?? "").join(" ");
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
