import { mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Files } from "@weft/shared/testing/temporary-folder.ts";
import type { ScriptedExecutor, Program } from "../../src/testing/scripted-executor.ts";
import { catalogExecutor } from "../test-catalog.ts";

/** Reads a file with an optional secondary file, and prints something. */
const SHOUT = `cwlVersion: v1.2
class: CommandLineTool
label: Shout
baseCommand: [sh, -c, 'tr a-z A-Z < "$1"; echo "said $2" >&2', shout]
inputs:
  text: { type: File, secondaryFiles: [.idx?], inputBinding: { position: 1 } }
  word: { type: string, inputBinding: { position: 2 } }
outputs:
  loud: { type: stdout }
stdout: $(inputs.text.nameroot).loud.txt
`;

const FOLDER = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c, 'mkdir -p "a b/in"; cat "$@" > "a b/all.txt"; echo x > "a b/in/ü.txt"; cp "$1" joined.bam; echo i > joined.bam.bai', folder]
inputs:
  texts: { type: "File[]", inputBinding: { position: 1 } }
outputs:
  whole: { type: Directory, outputBinding: { glob: a b } }
  joined: { type: File, secondaryFiles: [.bai], outputBinding: { glob: joined.bam } }
`;

/** Brings a script along, whose content no run records. */
const SCRIPTED = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: sh
inputs:
  script: { type: File, default: { class: File, location: bin/say.sh }, inputBinding: { position: 1 } }
  word: { type: string, inputBinding: { position: 2 } }
outputs:
  said: { type: stdout }
stdout: said.txt
`;

const SAY = `cwlVersion: v1.2
class: Workflow
inputs: { word: string }
outputs: { said: { type: File, outputSource: say/said } }
steps: { say: { run: ../../tools/scripted/1.0.0/scripted.cwl, in: { word: word }, out: [said] } }
`;

/** A scatter over a nested network, a step that does not run, folders, and files with secondary files. */
const NESTED = `cwlVersion: v1.2
class: Workflow
label: Nested
doc: Scatters a nested network.
requirements:
  ScatterFeatureRequirement: {}
  SubworkflowFeatureRequirement: {}
  InlineJavascriptRequirement: {}
  StepInputExpressionRequirement: {}
inputs:
  texts: { type: "File[]", secondaryFiles: [.idx?] }
  word: { type: string, default: hello }
  never: { type: boolean, default: false }
  weights: { type: { type: array, items: float }, default: [0.5, 2] }
outputs:
  louds: { type: "File[]", outputSource: each/loud }
  whole: { type: Directory, outputSource: folder/whole }
  joined: { type: File, outputSource: folder/joined }
  maybe: { type: "File?", outputSource: maybe/loud }
steps:
  each:
    scatter: text
    in: { text: texts, word: word }
    out: [loud]
    run:
      class: Workflow
      inputs: { text: { type: File, secondaryFiles: [.idx?] }, word: string }
      outputs: { loud: { type: File, outputSource: again/loud } }
      steps:
        once: { run: ../../tools/shout/1.2.0/shout.cwl, in: { text: text, word: word }, out: [loud] }
        again: { run: ../../tools/shout/1.2.0/shout.cwl, in: { text: once/loud, word: word }, out: [loud] }
  maybe:
    when: $(inputs.never)
    run: ../../tools/once/1.0.0/once.cwl
    in: { text: { source: texts, valueFrom: "$(self[0])" }, never: never }
    out: [loud]
  folder:
    run: ../../tools/folder/1.0.0/folder.cwl
    in: { texts: each/loud }
    out: [whole, joined]
`;

const ONCE = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: cat
inputs:
  text: { type: File, inputBinding: { position: 1 } }
outputs:
  loud: { type: stdout }
`;

/** Cross products of nested networks, one within the other, whose calls have two numbers. */
const CROSSED = `cwlVersion: v1.2
class: Workflow
requirements:
  ScatterFeatureRequirement: {}
  SubworkflowFeatureRequirement: {}
inputs: { texts: "File[]", words: "string[]" }
outputs:
  louds: { type: Any, outputSource: outer/louds }
  flat: { type: Any, outputSource: flat/louds }
steps:
  outer:
    scatter: [text, word]
    scatterMethod: nested_crossproduct
    in: { text: texts, word: words, words: words }
    out: [louds]
    run: &outer
      class: Workflow
      inputs: { text: File, word: string, words: "string[]" }
      outputs: { louds: { type: Any, outputSource: inner/loud } }
      steps:
        inner:
          scatter: [text, word]
          scatterMethod: flat_crossproduct
          in: { text: { source: [text], linkMerge: merge_nested }, word: words }
          out: [loud]
          run:
            class: Workflow
            inputs: { text: File, word: string }
            outputs: { loud: { type: File, outputSource: shout/loud } }
            steps:
              shout: { run: ../../tools/shout/1.2.0/shout.cwl, in: { text: text, word: word }, out: [loud] }
  flat:
    scatter: [text, word]
    scatterMethod: flat_crossproduct
    in: { text: texts, word: words, words: words }
    out: [louds]
    run: *outer
`;

/** Folders without files, at the top and further down. */
const EMPTY_FOLDERS = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c, 'mkdir -p d/empty/deep none; echo x > d/x.txt', empty-folders]
inputs: {}
outputs:
  filled: { type: Directory, outputBinding: { glob: d } }
  none: { type: Directory, outputBinding: { glob: none } }
`;

const EMPTY_FOLDERS_TWICE = `cwlVersion: v1.2
class: Workflow
inputs: { note: { type: string, default: none } }
outputs:
  filled: { type: Directory, outputSource: make/filled }
  none: { type: Directory, outputSource: make/none }
  listed: { type: File, outputSource: list/listed }
steps:
  make: { run: ../../tools/empty-folders/1.0.0/empty-folders.cwl, in: {}, out: [filled, none] }
  list:
    in: { folder: make/filled }
    out: [listed]
    run:
      class: CommandLineTool
      baseCommand: [sh, -c, 'cd "$1"; find . | sort', list]
      inputs: { folder: { type: Directory, inputBinding: { position: 1 } } }
      outputs: { listed: { type: stdout } }
      stdout: listed.txt
`;

/** Names files in ways of its own: a default of a step that never runs, a staged file, a list of ontologies. */
const NAMING = `cwlVersion: v1.2
class: Workflow
$namespaces: { ex: "http://example.org/formats#" }
$schemas: [formats.ttl]
requirements: { InlineJavascriptRequirement: {} }
inputs:
  settings: { type: { type: record, name: settings, fields: { word: string, times: int } } }
  texts: { type: "File[]", secondaryFiles: [.idx] }
outputs:
  said: { type: File, outputSource: say/said }
steps:
  say:
    in: { settings: settings, texts: texts }
    out: [said]
    run:
      class: CommandLineTool
      requirements:
        InitialWorkDirRequirement:
          listing: [{ class: File, location: helper.sh }]
      baseCommand: [sh, helper.sh]
      inputs:
        settings: { type: { type: record, name: settings, fields: { word: string, times: int } } }
        texts: { type: "File[]", secondaryFiles: [.idx], inputBinding: { position: 1 } }
      outputs: { said: { type: stdout } }
      stdout: said.txt
  never:
    when: $(1 === 2)
    in: {}
    out: []
    run:
      class: CommandLineTool
      baseCommand: cat
      inputs: { file: { type: File, default: { class: File, location: "../never/a file.txt" }, inputBinding: {} } }
      outputs: {}
`;

/** Writes one line more than it was given. */
export const GROW = `cwlVersion: v1.2
class: CommandLineTool
requirements: { InlineJavascriptRequirement: {} }
baseCommand: [sh, -c, 'cat "$1"; echo more', grow]
inputs:
  text: { type: File, inputBinding: { position: 1 } }
  round: int
outputs:
  longer: { type: stdout }
  next: { type: int, outputBinding: { outputEval: $(inputs.round + 1) } }
stdout: $(inputs.text.basename)
`;

export const GROWING = `cwlVersion: v1.2
class: Workflow
$namespaces: { cwltool: "http://commonwl.org/cwltool#" }
requirements: { InlineJavascriptRequirement: {} }
inputs: { text: File, rounds: int }
outputs:
  grown: { type: File?, outputSource: grow/longer }
steps:
  grow:
    run: ../../tools/grow/1.0.0/grow.cwl
    in: { text: text, round: { default: 0 }, rounds: rounds }
    out: [longer, next]
    requirements:
      cwltool:Loop: { loopWhen: $(inputs.round < inputs.rounds), loop: { text: longer, round: next } }
`;

/** Says whether it was given a secret. */
const LOGIN = `cwlVersion: v1.2
class: CommandLineTool
requirements: { cwltool:Secrets: { secrets: [password] } }
baseCommand: [sh, -c, 'test -n "$1" && echo fine', login]
inputs: { password: { type: string, inputBinding: { position: 1 } } }
outputs: { said: { type: stdout } }
stdout: said.txt
$namespaces: { cwltool: "http://commonwl.org/cwltool#" }
`;

/** Makes more files than one event of a run carries. */
const PARTS = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: [sh, -c, 'seq 1 1100 | split -l 1 -a 4 - part-', parts]
inputs: {}
outputs: { parts: { type: "File[]", outputBinding: { glob: "part-*" } } }
`;

/** Files that runs in the tests of crates use in addition to the test catalog. */
export const CRATE_CATALOG: Files = {
  "catalog/tools/shout/1.2.0/shout.cwl": SHOUT,
  "catalog/tools/folder/1.0.0/folder.cwl": FOLDER,
  "catalog/tools/once/1.0.0/once.cwl": ONCE,
  "catalog/tools/parts/1.0.0/parts.cwl": PARTS,
  "catalog/networks/nested/nested.cwl": NESTED,
  "catalog/networks/say/say.cwl": SAY,
  "catalog/tools/grow/1.0.0/grow.cwl": GROW,
  "catalog/networks/growing/growing.cwl": GROWING,
  "catalog/tools/login/1.0.0/login.cwl": LOGIN,
  "catalog/networks/naming/naming.cwl": NAMING,
  "catalog/networks/naming/formats.ttl": "",
  "catalog/networks/naming/helper.sh": 'cat "$@" "$1.idx"\n',
  "catalog/networks/never/a file.txt": "never read\n",
  "catalog/data/other/one.bam.idx": "another index\n",
  "catalog/networks/crossed/crossed.cwl": CROSSED,
  "catalog/tools/empty-folders/1.0.0/empty-folders.cwl": EMPTY_FOLDERS,
  "catalog/networks/empty-folders-twice/empty-folders-twice.cwl": EMPTY_FOLDERS_TWICE,
  "catalog/tools/scripted/1.0.0/scripted.cwl": SCRIPTED,
  "catalog/tools/scripted/1.0.0/bin/say.sh": 'echo "said $1"\n',
  "catalog/data/one.bam": "one\n",
  "catalog/data/one.bam.idx": "index\n",
  "catalog/data/other/one.bam": "another one\n",
  "catalog/data/empty.bam": "",
};

/** The behavior of the documents' scripts, by the name that each gives itself. */
const SCRIPTS: Readonly<Record<string, Program>> = {
  shout({ args: [text = "", word = ""], read, print, warn }) {
    print(read(text).toUpperCase());
    warn(`said ${word}\n`);
  },
  folder({ args, read, write }) {
    write("a b/all.txt", args.map(read).join(""));
    write("a b/in/ü.txt", "x\n");
    write("joined.bam", read(args[0] ?? ""));
    write("joined.bam.bai", "i\n");
  },
  "empty-folders"({ launch: { workdir }, write }) {
    for (const path of ["d/empty/deep", "none"]) mkdirSync(join(workdir, path), { recursive: true });
    write("d/x.txt", "x\n");
  },
  list({ args: [folder = ""], print }) {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `./${name}`);
    print(`${[".", ...names.toSorted()].join("\n")}\n`);
  },
  grow({ args: [text = ""], read, print }) {
    print(`${read(text)}more\n`);
  },
  login: ({ args: [password], print }) => (password === "" ? 1 : print("fine\n")),
  parts({ write }) {
    for (let n = 0; n < 1100; n++) write(`part-${String(n).padStart(4, "0")}`, `${n + 1}\n`);
  },
  "helper.sh"({ args, read, print }) {
    print([...args, `${args[0]}.idx`].map(read).join(""));
  },
  "say.sh"({ args: [word], print }) {
    print(`said ${word}\n`);
  },
};

/** Runs the documents of the crates and of the test catalog without a shell. */
export function crateExecutor(): ScriptedExecutor {
  return catalogExecutor({
    sh(call) {
      const [first = "", , name = first] = call.args;
      const isInline = first === "-c";
      const script = SCRIPTS[isInline ? name : basename(first)];
      if (script === undefined) throw new Error(`no script ${call.args.join(" ")}`);
      return script({ ...call, args: call.args.slice(isInline ? 3 : 1) });
    },
  });
}
