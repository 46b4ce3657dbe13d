import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { weftCommand } from "../commands.ts";
import { openIo } from "../testing/run-in-process.ts";
import { RUNNER_FLAGS, runnerHelp } from "./runner-flags.ts";
import { translateWords } from "./translate-words.ts";

const OPTIONS = weftCommand(openIo().io, () => {}).commands.find((command) => command.name() === "run")?.options ?? [];
const translate = (line: string) => translateWords(line === "" ? [] : line.split(" "), OPTIONS);

describe("command lines of the reference runner", () => {
  const cases: readonly [string, string][] = [
    ["--outdir=o t.cwl in.yml", "run --outdir o t.cwl in.yml"],
    ["--outdir o --quiet t.cwl --message hi", "run --outdir o --quiet t.cwl --message hi"],
    ["t.cwl --outdir o", "run t.cwl --outdir o"],
    ["--podman t.cwl", "run --container podman t.cwl"],
    ["--singularity t.cwl", "run --container singularity t.cwl"],
    ["--no-container t.cwl", "run --no-container t.cwl"],
    ["--parallel --enable-dev --enable-ext --relax-path-checks --timestamps --rm-tmpdir t.cwl", "run t.cwl"],
    ["--tmpdir-prefix /x/y --tmp-outdir-prefix /z t.cwl", "run --tmpdir-prefix /x/y --tmpdir-prefix /z t.cwl"],
    ["-t a --target b wf.cwl", "run --target a --target b wf.cwl"],
    ["--eval-timeout 1.5 t.cwl", "run --eval-timeout 2 t.cwl"],
    ["-w out.json t.cwl", "run --write-summary out.json t.cwl"],
    ["--copy-outputs t.cwl", "run --leave-tmpdir t.cwl"],
    ["--outd o t.cwl", "run --outdir o t.cwl"],
    ["--jobs 2 --backend=slurm t.cwl", "run --jobs 2 --backend slurm t.cwl"],
    ["--validate t.cwl in.yml", "validate t.cwl"],
    ["--print-dot t.cwl", "graph --format dot t.cwl"],
    ["--print-targets t.cwl", "graph --format text t.cwl"],
    ["--pack --quiet t.cwl", "pack t.cwl"],
    ["--print-subgraph --target a wf.cwl", "pack --target a wf.cwl"],
    ["--print-deps --relative-deps cwd t.cwl", "deps --json --relative-deps cwd t.cwl"],
    ["--print-input-deps t.cwl in.yml", "deps --json in.yml"],
    ["--make-template t.cwl", "init t.cwl"],
    ["--tool-help t.cwl", "run t.cwl --help"],
    ["--version", "version"],
    ["--help", "--help"],
    ["- in.yml", "run - in.yml"],
    ["", "run"],
  ];
  for (const [line, expected] of cases)
    it(`${line} becomes weft ${expected}`, () =>
      assert.deepEqual(translate(line), { words: expected.split(" "), notices: [] }));

  it("report only once that a flag has no effect", () => {
    const { words, notices } = translate("--cachedir a --log-dir x --cachedir b t.cwl");
    assert.deepEqual(words, ["run", "t.cwl"]);
    assert.deepEqual(
      notices.map((notice) => notice.split(" has no effect: ")[0]),
      ["--cachedir", "--log-dir"],
    );
  });

  const wrong: readonly [string, RegExp][] = [
    ["--nope t.cwl", /^unknown option --nope$/],
    ["--outdir", /^--outdir requires a value$/],
    ["--print- t.cwl", /^ambiguous option --print-: --print-rdf --print-dot /],
    ["--print-rdf t.cwl", /^--print-rdf: Weft prints no RDF/],
    ["--print-input-deps t.cwl", /requires an input object/],
  ];
  for (const [line, message] of wrong)
    it(`${line} is refused`, () =>
      assert.throws(
        () => translate(line),
        ({ message: text }) => message.test(text),
      ));
});

describe("the table of flags", () => {
  it("names only options that weft run has", () => {
    const known = new Set(OPTIONS.map(({ long }) => long));
    for (const { name, meaning } of RUNNER_FLAGS)
      if (meaning.kind === "run") assert.ok(known.has(meaning.words[0]), `${name}: ${meaning.words[0]}`);
  });

  it("fits one screen of help, which names every flag", () => {
    const help = runnerHelp();
    const lines = help.trimEnd().split("\n");
    assert.ok(lines.length <= 40, `${lines.length} lines`);
    for (const line of lines) assert.ok(line.length <= 100, line);
    for (const { name, meaning } of RUNNER_FLAGS)
      assert.ok(meaning.kind === "refused" || new RegExp(` --${name}(?:\\s|$)`).test(help), name);
  });
});
