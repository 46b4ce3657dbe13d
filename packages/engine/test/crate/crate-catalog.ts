import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Reads a file with another beside it, which it may lack, and says something. */
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

/** A scatter over a nested network, a step that does not run, folders, and files with others beside them. */
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

const DOCUMENTS: Readonly<Record<string, string>> = {
  "tools/shout/1.2.0/shout.cwl": SHOUT,
  "tools/folder/1.0.0/folder.cwl": FOLDER,
  "tools/once/1.0.0/once.cwl": ONCE,
  "networks/nested/nested.cwl": NESTED,
  "networks/say/say.cwl": SAY,
  "tools/scripted/1.0.0/scripted.cwl": SCRIPTED,
  "tools/scripted/1.0.0/bin/say.sh": 'echo "said $1"\n',
  "data/one.bam": "one\n",
  "data/one.bam.idx": "index\n",
  "data/other/one.bam": "another one\n",
  "data/empty.bam": "",
};

/** What runs in the tests of crates use beside the test catalog. */
export async function writeCrateCatalog(folder: string): Promise<void> {
  for (const [path, text] of Object.entries(DOCUMENTS)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
