import { countText, numberText } from "../../format/count-text.ts";

/** The server's answers to aborts. Fulfilled without a value: the run has ended; with one: its jobs are being stopped. */
type Answers = readonly PromiseSettledResult<unknown>[];

/** The outcome for several runs: `2 runs ended, 1 is still stopping, 1 could not be aborted: …`. */
export function abortedText(answers: Answers): string {
  const refusals = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  const stopping = answers.filter((answer) => answer.status === "fulfilled" && answer.value !== undefined).length;
  const groups: readonly (readonly [number, string])[] = [
    [answers.length - refusals.length - stopping, "ended"],
    [stopping, `${stopping === 1 ? "is" : "are"} still stopping`],
    [refusals.length, `could not be aborted: ${refusals[0] instanceof Error ? refusals[0].message : "unknown error"}`],
  ];
  return groups
    .filter(([count]) => count > 0)
    .map(([count, what], place) => `${place === 0 ? countText(count, "run") : numberText(count)} ${what}`)
    .join(", ");
}
