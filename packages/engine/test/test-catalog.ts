import type { Files } from "@weft/shared/testing/temporary-folder.ts";
import { ScriptedExecutor, type Program } from "../src/testing/scripted-executor.ts";
import { serveFiles } from "../src/testing/serve-files.ts";

const SHOUT = `cwlVersion: v1.2
class: CommandLineTool
label: Shout
baseCommand: shout
inputs:
  text: { type: File, inputBinding: { position: 1 } }
outputs:
  loud: { type: stdout }
stdout: $(inputs.text.nameroot).loud.txt
`;

const ACT = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: act
inputs:
  how: { type: string, inputBinding: { position: 1 } }
outputs:
  log: { type: stdout }
`;

const THIRD_TIME = `cwlVersion: v1.2
class: CommandLineTool
temporaryFailCodes: [75]
baseCommand: third-time
inputs: {}
outputs:
  count: { type: stdout }
stdout: count.txt
`;

const SHOUT_ALL = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {} }
inputs:
  texts: File[]
  note: string?
outputs:
  louds: { type: "File[]", outputSource: shout/loud }
steps:
  shout:
    run: ../../tools/shout/1.0.0/shout.cwl
    scatter: text
    in: { text: texts }
    out: [loud]
`;

const ACT_ALL = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {}, InlineJavascriptRequirement: {} }
inputs:
  hows: string[]
outputs:
  logs: { type: "Any", outputSource: act/log }
  other: { type: "File?", outputSource: calm/log }
steps:
  act:
    run: ../../tools/act/1.0.0/act.cwl
    scatter: how
    in: { how: hows }
    out: [log]
  calm:
    run: ../../tools/act/1.0.0/act.cwl
    in: { how: { default: "0" } }
    out: [log]
`;

/** One step fails at once, for which it may be tried again, and one when its test lets it, for which it may not. */
const WAIT_AND_FAIL = `cwlVersion: v1.2
class: Workflow
requirements: { InlineJavascriptRequirement: {} }
inputs: {}
outputs: {}
steps:
  waits:
    run: ../../tools/act/1.0.0/act.cwl
    in: { how: { default: "3" } }
    out: [log]
  fails:
    run:
      class: CommandLineTool
      baseCommand: end-later
      inputs: {}
      outputs: { wrong: { type: string, outputBinding: { outputEval: '$(nothing.here)' } } }
    in: {}
    out: [wrong]
`;

/** Wrong in line 12: the input's type is misspelled. */
const BROKEN = `cwlVersion: v1.2
class: Workflow
label: Broken
doc: |
  A network
  whose document
  is wrong
  further
  down.
inputs:
  text:
    type: Fil
outputs: {}
steps: {}
`;

/** A small catalog with a network that works, one whose jobs follow a script, and a broken one. */
export const TEST_CATALOG: Files = {
  "catalog/tools/shout/1.0.0/shout.cwl": SHOUT,
  "catalog/tools/shout/1.10.0/shout.cwl": SHOUT.replace("label: Shout", "label: Shout louder"),
  "catalog/tools/shout/1.9.0/shout.cwl": SHOUT,
  "catalog/tools/act/1.0.0/act.cwl": ACT,
  "catalog/tools/third-time/1.0.0/third-time.cwl": THIRD_TIME,
  "catalog/networks/shout-all/shout-all.cwl": SHOUT_ALL,
  "catalog/networks/shout-all/examples/two.yml":
    "texts:\n  - { class: File, location: ../../../data/one.txt }\n  - { class: File, location: ../../../data/two.txt }\n",
  "catalog/networks/act-all/act-all.cwl": ACT_ALL,
  "catalog/networks/wait-and-fail/wait-and-fail.cwl": WAIT_AND_FAIL,
  "catalog/networks/broken/broken.cwl": BROKEN,
  "catalog/data/one.txt": "one\n",
  "catalog/data/two.txt": "two\n",
};

/** Runs the programs of the test catalog, and those that a test adds. */
export function catalogExecutor(more: Readonly<Record<string, Program>> = {}): ScriptedExecutor {
  return new ScriptedExecutor({
    shout({ args: [path = ""], read, print, warn }) {
      print(read(path).toUpperCase());
      warn("said\n");
    },
    /** Ends with the code that it is given; "hang" ends only when it is killed. */
    act({ args: [how = ""], print, warn }) {
      if (how === "hang") {
        print("up\n");
        return new Promise<void>(() => {});
      }
      warn(`acting ${how}\n`);
      return Number(how);
    },
    /** Ends twice with a code for a failure that passes, and leaves an output behind each time. */
    "third-time"({ launch: { attempt }, print }) {
      print("x\n".repeat(attempt));
      return attempt < 3 ? 75 : 0;
    },
    ...more,
  });
}

/** An engine with the test catalog. */
export const serveCatalog = (more: Parameters<typeof serveFiles>[1] = {}) =>
  serveFiles(TEST_CATALOG, { executor: catalogExecutor(), ...more });

/** A file of the test catalog's folder `data`, as an input. */
export const catalogFile = (name: string) => ({ class: "File", location: `weft-data://catalog/data/${name}` });
