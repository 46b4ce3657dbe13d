import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { REQUIREMENT_READERS } from "@weft/cwl/document/requirement/requirement-tables.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import { fieldsOf, TABLES } from "./schema.ts";

const HEAD = "cwlVersion: v1.3.0-dev1\n";
const tool = (rest: string) => `${HEAD}class: CommandLineTool\n${rest}`;
const network = (rest: string) => `${HEAD}class: Workflow\n${rest}`;

/** A document with a field of an object of each kind; a field that is null counts as absent, unless it is unknown. */
const WITH: Readonly<Record<string, (field: string) => string>> = {
  CommandLineTool: (field) => tool(`${field}: null\n`),
  Workflow: (field) => network(`${field}: null\n`),
  ExpressionTool: (field) => `${HEAD}class: ExpressionTool\n${field}: null\n`,
  Operation: (field) => `${HEAD}class: Operation\n${field}: null\n`,
  toolInput: (field) => tool(`inputs: {a: {${field}: null}}\n`),
  otherInput: (field) => network(`inputs: {a: {${field}: null}}\n`),
  toolOutput: (field) => tool(`outputs: {a: {${field}: null}}\n`),
  otherOutput: (field) => `${HEAD}class: Operation\noutputs: {a: {${field}: null}}\n`,
  workflowOutput: (field) => network(`outputs: {a: {${field}: null}}\n`),
  step: (field) => network(`steps: {a: {${field}: null}}\n`),
  stepInput: (field) => network(`steps: {a: {in: {b: {${field}: null}}}}\n`),
  loopInput: (field) => network(`steps: {a: {loop: {b: {${field}: null}}}}\n`),
  inputBinding: (field) => tool(`inputs: {a: {inputBinding: {${field}: null}}}\n`),
  outputBinding: (field) => tool(`outputs: {a: {outputBinding: {${field}: null}}}\n`),
  secondaryFile: (field) => tool(`inputs: {a: {secondaryFiles: [{${field}: null}]}}\n`),
  array: (field) => tool(`inputs: {a: {type: {type: array, ${field}: null}}}\n`),
  record: (field) => tool(`inputs: {a: {type: {type: record, ${field}: null}}}\n`),
  enum: (field) => tool(`inputs: {a: {type: {type: enum, ${field}: null}}}\n`),
  recordField: (field) => tool(`inputs: {a: {type: {type: record, fields: {b: {${field}: null}}}}}\n`),
  softwarePackage: (field) => tool(`hints: {SoftwareRequirement: {packages: {a: {${field}: null}}}}\n`),
  environmentDef: (field) => tool(`hints: {EnvVarRequirement: {envDef: {a: {${field}: null}}}}\n`),
  dirent: (field) => tool(`hints: {InitialWorkDirRequirement: {listing: [{${field}: null}]}}\n`),
};

const documentWith = (kind: string, field: string) =>
  WITH[kind]?.(field) ?? tool(`hints: {${kind}: {${field}: null}}\n`);

const problems = async (text: string) => {
  const uri = "file:///w/a.cwl";
  const { diagnostics } = await loadDocument(uri, { reader: memoryDocumentReader({ [uri]: text }) });
  return diagnostics.filter(({ code }) => code === "unknown-field" || code === "field-version");
};

describe("the reader knows every field that completion offers", () => {
  for (const kind of [...TABLES.keys()].filter((name) => name !== "process"))
    test(kind, async () => {
      for (const field of fieldsOf(kind).keys()) {
        const isDiscriminator = field === "class" || (field === "type" && ["array", "record", "enum"].includes(kind));
        if (!isDiscriminator) assert.deepEqual(await problems(documentWith(kind, field)), [], field);
      }
      assert.notDeepEqual(await problems(documentWith(kind, "nobodyKnowsThis")), []);
    });
});

describe("completion offers every field that the reader knows in the newest version", () => {
  for (const [kind, table] of TABLES)
    test(kind, () => {
      const readable = Object.keys(table).filter((name) => table[name]?.until === "v1.3.0-dev1");
      assert.deepEqual([...fieldsOf(kind).keys()].toSorted(), readable.toSorted());
    });
});

test("readers report the kind of value that they read", () => {
  const input = fieldsOf("CommandLineTool").get("inputs");
  assert.deepEqual([input?.of, input?.predicate, input?.isMap], ["toolInput", "type", true]);
  assert.deepEqual(fieldsOf("WorkReuse").get("enableReuse")?.words, ["true", "false"]);
  assert.deepEqual(fieldsOf("step").get("outputMethod")?.words, ["last_iteration", "all_iterations"]);
  for (const [kind, table] of TABLES)
    for (const { of: inner } of fieldsOf(kind).values())
      assert.ok(
        inner === undefined || inner === "type" || inner === "requirement" || inner === "process" || TABLES.has(inner),
        `${inner} in ${Object.keys(table)}`,
      );
});

test("every requirement has fields", () => {
  const found = [...REQUIREMENT_READERS.keys()].filter((name) => fieldsOf(name).size === 0);
  assert.deepEqual(found, []);
});
