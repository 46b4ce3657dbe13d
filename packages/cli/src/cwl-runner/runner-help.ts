import { wrap } from "../inputs/document-help.ts";
import { RUNNER_FLAGS } from "./runner-flags.ts";
import type { FlagMeaning } from "./runner-flags.ts";

const COLUMNS = 96;

/** One screen that explains the supported flags of the reference runner. */
export function runnerHelp(): string {
  return [
    "Usage: cwl-runner [options] document [inputs] [flags of inputs]",
    "",
    "Runs a CWL document with Weft and prints its output object as JSON. Accepts the options of the",
    "reference runner, and those of weft run. cwl-runner DOCUMENT --help lists the inputs of a document.",
    "",
    ...section("Options", ["run", "detail"]),
    ...section("Instead of a run", ["command"]),
    ...section("Always on", ["always"]),
    ...section("Accepted without effect, with a warning", ["none"]),
    "",
    "Exit code 0: success; 1: failed or invalid; 2: usage error; 33: unsupported; 130: interrupted.",
    "",
    "Examples:",
    "  cwl-runner --outdir results network.cwl inputs.yml",
    "  cwl-runner --validate network.cwl",
    "",
    "Documentation: docs/reference/cwl-runner.md",
    "",
  ].join("\n");
}

function section(title: string, kinds: readonly FlagMeaning["kind"][]): readonly string[] {
  const names = RUNNER_FLAGS.flatMap(({ name, meaning }) => (kinds.includes(meaning.kind) ? [`--${name}`] : []));
  return [`${title}:`, ...wrap(names.join(" "), COLUMNS).map((line) => `  ${line}`)];
}
