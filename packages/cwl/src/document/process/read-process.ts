import { CWL_VERSIONS, type CwlVersion } from "../../model/cwl-version.ts";
import type { Process, ExpressionTool, Operation } from "../../model/process.ts";
import { wrongKind, expression } from "../fields/scalar-readers.ts";
import { isSince, readFrom, report, within, type Scope } from "../fields/scope.ts";
import { suggestionHint } from "../../suggest.ts";
import { entryOf, type MappingNode, type YamlNode } from "../yaml/yaml-node.ts";
import type { LoadScope, ProcessIdentity } from "./load-scope.ts";
import { readCommandLineTool } from "./read-command-line-tool.ts";
import { readNamespaces } from "../fields/read-namespaces.ts";
import { readWorkflow } from "./read-workflow.ts";
import { readFields, required } from "../fields/read-fields.ts";
import { PROCESS_FIELDS, processBase } from "./process-fields.ts";
import { readOtherInputs, readOtherOutputs } from "./read-parameter.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { secretsOf } from "../../model/secret-inputs.ts";
import { holdsText } from "../../model/holds-text.ts";

const CLASSES = ["CommandLineTool", "ExpressionTool", "Workflow", "Operation"];

/** Reads a process of any class; `identity` has its URI and name. */
export function readProcess(node: YamlNode, identity: ProcessIdentity, scope: LoadScope): Process | undefined {
  if (node.kind !== "mapping") return wrongKind(node, scope, "a process: a map with `class`");
  const version = readVersion(node, scope);
  if (version === undefined) return undefined;
  const namespaces = new Map([...scope.namespaces, ...readNamespaces(node)]);
  const process = readByClass(node, identity, { ...scope, version, namespaces, processUri: identity.uri });
  if (process === undefined) return undefined;
  checkSecrets(process, scope);
  return readFrom(node, process, scope);
}

function readByClass(node: MappingNode, identity: ProcessIdentity, scope: LoadScope): Process | undefined {
  const name = entryOf(node, "class")?.value;
  if (name === undefined)
    return report(scope, node, {
      code: "missing-field",
      message: "the field `class` is missing",
      hint: suggestionHint("", CLASSES),
    });
  switch (name.kind === "scalar" ? name.value : undefined) {
    case "CommandLineTool":
      return readCommandLineTool(node, identity, scope);
    case "ExpressionTool":
      return readExpressionTool(node, identity, scope);
    case "Workflow":
      return readWorkflow(node, identity, scope);
    case "Operation":
      return isSince(scope, "v1.2")
        ? readOperation(node, identity, scope)
        : report(scope, name, {
            code: "unknown-class",
            message: `CWL ${scope.version} has no Operation`,
            hint: "CWL v1.2 introduced it",
          });
    default:
      return unknownClass(name, scope);
  }
}

function unknownClass(node: YamlNode, scope: LoadScope): undefined {
  const name = node.kind === "scalar" ? String(node.value) : "";
  return report(within(scope, "class"), node, {
    code: "unknown-class",
    message: `there is no process class \`${name}\``,
    hint: suggestionHint(name, CLASSES),
  });
}

/** The version that a process or a `$graph` declares, otherwise the enclosing one; undefined if it is unknown. */
export function readVersion(node: MappingNode, scope: LoadScope): CwlVersion | undefined {
  const declared = entryOf(node, "cwlVersion");
  if (declared === undefined) return scope.version;
  const { value } = declared;
  const name = value.kind === "scalar" ? String(value.value).replace(VOCABULARY, "") : "";
  const version = CWL_VERSIONS.find((known) => known === name) ?? readDraft(name, value, scope);
  if (version !== undefined) return version;
  if (/draft|dev/.test(name)) return reportTooOld(name, value, scope);
  const message = `CWL version ${name === "" ? "" : `\`${name}\` `}is not supported`;
  const released = CWL_VERSIONS.filter((known) => !known.includes("-"));
  const hint = released.some((known) => known === `v${name}`)
    ? `write \`v${name}\``
    : `expected one of ${released.join(", ")}`;
  return report(within(scope, "cwlVersion"), value, { code: "unsupported-version", message, hint });
}

function reportTooOld(name: string, node: YamlNode, scope: LoadScope): undefined {
  const message = `\`${name}\` is a draft from before CWL v1.0; only v1.0 and later versions can be read`;
  const hint = name.startsWith("draft-3") ? "`weft upgrade` rewrites it as v1.2" : "rewrite it by hand as v1.2";
  return report(within(scope, "cwlVersion"), node, { code: "unsupported-version", message, hint });
}

/** Older packed documents name the version by its full URI. */
const VOCABULARY = /^(cwl:|https:\/\/w3id\.org\/cwl\/cwl#)/;

/** Drafts of a released version are read as that version; v1.3 exists only as a draft so far. */
function readDraft(name: string, node: YamlNode, scope: LoadScope): CwlVersion | undefined {
  if (name === "v1.3") return "v1.3.0-dev1";
  const released = /^(v1\.[12])\.0-dev[1-5]$/.exec(name)?.[1];
  const version = CWL_VERSIONS.find((known) => known === released);
  if (version === undefined) return undefined;
  const message = `the draft \`${name}\` is read as ${version}`;
  report(within(scope, "cwlVersion"), node, {
    severity: "warning",
    code: "draft-version",
    message,
    hint: `write \`${version}\``,
  });
  return version;
}

export const OPERATION = {
  ...PROCESS_FIELDS,
  inputs: required(readOtherInputs, "The parameters of the process."),
  outputs: required(readOtherOutputs, "What the process produces."),
};

export const EXPRESSION_TOOL = {
  ...OPERATION,
  expression: required(expression, "Returns an object with the outputs."),
};

/** CWL v1.2 Workflow.html#ExpressionTool. */
function readExpressionTool(
  node: MappingNode,
  identity: ProcessIdentity,
  scope: LoadScope,
): ExpressionTool | undefined {
  const { expression: code, inputs = [], outputs = [], ...values } = readFields(node, EXPRESSION_TOOL, scope);
  if (code === undefined) return undefined;
  return {
    class: "ExpressionTool",
    ...processBase(node, values, identity, scope),
    inputs,
    outputs,
    expression: code,
  };
}

/** CWL v1.2 Workflow.html#Operation. */
function readOperation(node: MappingNode, identity: ProcessIdentity, scope: LoadScope): Operation {
  const { inputs = [], outputs = [], ...values } = readFields(node, OPERATION, scope);
  return { class: "Operation", ...processBase(node, values, identity, scope), inputs, outputs };
}

/** Reports names in `cwltool:Secrets` that are not inputs, or whose inputs cannot be strings. */
function checkSecrets(process: Process, { diagnostics }: Pick<Scope, "diagnostics">): void {
  const declared = secretsOf(process);
  for (const id of declared?.secrets ?? []) {
    const finding = findingOf(id, process);
    if (declared !== undefined && finding !== undefined)
      diagnostics.push({ severity: "error", code: "wrong-secret", ...finding, ...declared.position });
  }
}

function findingOf(id: string, { inputs }: Process): Pick<Diagnostic, "message" | "hint"> | undefined {
  const input = inputs.find((candidate) => candidate.id === id);
  const place = "requirements.cwltool:Secrets";
  if (input === undefined) {
    const known = inputs.map((candidate) => candidate.id);
    const hint = suggestionHint(id, known);
    return { message: `${place}: there is no input \`${id}\``, ...(hint === undefined ? {} : { hint }) };
  }
  if (holdsText(input.type)) return undefined;
  const hint = "a secret is a string, or an array or record with strings; pass the content of a file as a string";
  return { message: `${place}: the input \`${id}\` contains no string that could be kept secret`, hint };
}
