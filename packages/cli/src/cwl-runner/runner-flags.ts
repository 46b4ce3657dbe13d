import { wrap } from "../output/result-text.ts";

/** Effects of the reference runner's flags in Weft. */
export type FlagMeaning =
  /** Words of `weft run`; the value follows them. */
  | { readonly kind: "run"; readonly words: readonly string[] }
  /** Another command of Weft instead of a run, with these words. */
  | { readonly kind: "command"; readonly words: readonly string[] }
  /** A word for the command that runs instead, if that command has one. */
  | { readonly kind: "detail"; readonly word: string }
  /** Weft always behaves as if the flag were set. */
  | { readonly kind: "always" }
  /** Accepted and reported, with the reason. */
  | { readonly kind: "none"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string };

export interface RunnerFlag {
  readonly name: string;
  readonly takesValue: boolean;
  readonly meaning: FlagMeaning;
}

const run = (...words: string[]): FlagMeaning => ({ kind: "run", words });
const command = (...words: string[]): FlagMeaning => ({ kind: "command", words });
const none = (why: string): FlagMeaning => ({ kind: "none", why });
const always: FlagMeaning = { kind: "always" };

const REMOVED = "Weft removes the containers of a run";
const PULLED = "Weft pulls an image if it is missing";
const LIMITED = "Weft always limits containers to the resources that a tool requests";
const REGISTRIES = "Weft does not use tool registries";
const PROVENANCE = "--provenance writes an RO-Crate";

/** A space and `=` after the names: the flag takes a value. In the order of the reference runner's help. */
const ROWS: readonly (readonly [flag: string, meaning: FlagMeaning])[] = [
  ["basedir =", run("--basedir")],
  ["outdir =", run("--outdir")],
  ["log-dir =", none("job logs are in the temporary folder (--leave-tmpdir)")],
  ["parallel", always],
  ["preserve-environment =", run("--preserve-environment")],
  ["preserve-entire-environment", none("name each variable with --preserve-environment")],
  ["rm-container", always],
  ["leave-container", none(REMOVED)],
  ["cidfile-dir =", none(REMOVED)],
  ["cidfile-prefix =", none(REMOVED)],
  ["tmpdir-prefix =", run("--tmpdir-prefix")],
  ["tmp-outdir-prefix =", run("--tmpdir-prefix")],
  ["cachedir =", none("only weft serve reuses results")],
  ["rm-tmpdir", always],
  ["leave-tmpdir", run("--leave-tmpdir")],
  ["move-outputs", always],
  ["leave-outputs", none("outputs are in --outdir; --leave-tmpdir also keeps the temporary folder")],
  ["copy-outputs", run("--leave-tmpdir")],
  ["enable-pull", always],
  ["disable-pull", none(PULLED)],
  ["eval-timeout =", run("--eval-timeout")],
  ["provenance =", run("--provenance")],
  ["enable-user-provenance", none(PROVENANCE)],
  ["disable-user-provenance", always],
  ["enable-host-provenance", none(PROVENANCE)],
  ["disable-host-provenance", always],
  ["orcid =", none(PROVENANCE)],
  ["full-name =", none(PROVENANCE)],
  ["print-rdf", { kind: "refused", why: "Weft prints no RDF; weft pack prints JSON" }],
  ["rdf-serializer =", none("Weft prints no RDF")],
  ["print-dot", command("graph", "--format", "dot")],
  ["print-pre", command("pack")],
  ["print-deps", command("deps", "--json")],
  ["print-input-deps", command("input-deps", "--json")],
  ["relative-deps =", { kind: "detail", word: "--relative-deps" }],
  ["pack", command("pack")],
  ["validate", command("validate")],
  ["print-supported-versions", command("versions")],
  ["print-subgraph", command("pack")],
  ["print-targets", command("graph", "--format", "text")],
  ["make-template", command("init")],
  ["version", command("version")],
  ["tool-help", command("help")],
  ["strict", always],
  ["non-strict", run("--non-strict")],
  ["skip-schemas", run("--skip-schemas")],
  ["doc-cache", none("Weft downloads remote documents each time")],
  ["no-doc-cache", always],
  ["fast-parser", always],
  ["verbose", always],
  ["quiet", run("--quiet")],
  ["debug", run("--debug")],
  ["write-summary =", run("--write-summary")],
  ["strict-memory-limit", none(LIMITED)],
  ["strict-cpu-limit", none(LIMITED)],
  ["timestamps", always],
  ["js-console", none("expressions have no console")],
  ["disable-js-validation", always],
  ["js-hint-options-file =", none("Weft does not lint expressions")],
  ["user-space-docker-cmd =", none("Weft does not run udocker; see weft run --container")],
  ["udocker", none("Weft does not run udocker; see weft run --container")],
  ["singularity", run("--container", "singularity")],
  ["podman", run("--container", "podman")],
  ["no-container", run("--no-container")],
  ["enable-dev", always],
  ["enable-ext", always],
  ["enable-color", always],
  ["disable-color", always],
  ["default-container =", run("--default-container")],
  ["no-match-user", none("containers run as the account that starts Weft")],
  ["custom-net =", none("the tool's NetworkAccess decides")],
  ["enable-ga4gh-tool-registry", none(REGISTRIES)],
  ["disable-ga4gh-tool-registry", always],
  ["add-ga4gh-tool-registry =", none(REGISTRIES)],
  ["beta-dependency-resolvers-configuration =", none("Weft installs no software")],
  ["beta-dependencies-directory =", none("Weft installs no software")],
  ["beta-use-biocontainers", none("Weft installs no software")],
  ["beta-conda-dependencies", none("Weft installs no software")],
  ["on-error =", run("--on-error")],
  ["compute-checksum", always],
  ["no-compute-checksum", none("Weft always computes checksums")],
  ["relax-path-checks", always],
  ["force-docker-pull", none(PULLED)],
  ["no-read-only", none("the root folder of a container is always read-only")],
  ["overrides =", run("--overrides")],
  ["target =", run("--target")],
  ["single-step =", run("--single-step")],
  ["single-process =", run("--single-process")],
  ["mpi-config-file =", none("Weft does not start MPI programs")],
];

export const RUNNER_FLAGS: readonly RunnerFlag[] = ROWS.map(([text, meaning]) => {
  const name = text.replace(/ =$/, "");
  return { name, takesValue: name !== text, meaning };
});

export const SHORT_FLAGS: Readonly<Record<string, string>> = { t: "target", w: "write-summary", h: "help" };

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
