import type { JsonObject } from "../model/json-value.ts";
import type { Process } from "../model/process.ts";
import { jsonObject } from "./pack/json-object.ts";
import { packProcess } from "./pack/pack-process.ts";

/** Names and descriptions have no effect, and requirements are compared separately. */
const OMITTED = ["id", "label", "doc", "intent", "requirements", "hints"];

/** Defaults can be left out: a default that takes effect is one of the input values. */
const OMITTED_FROM_PARAMETERS = ["label", "doc", "default"];

/**
 * The part of a tool's document that determines its results for given inputs, in a form that depends neither on the
 * location of the document nor on its notation. Omits requirements, because some come from the enclosing documents.
 */
export function canonicalTool(process: Process): JsonObject {
  const packed = packProcess(process, undefined, {
    rootUri: process.id.split("#")[0] ?? process.id,
    names: new Map(),
    version: process.cwlVersion,
    types: "input",
  });
  return jsonObject({
    ...without(packed, OMITTED),
    cwlVersion: process.cwlVersion,
    inputs: parametersOf(packed["inputs"]),
    outputs: parametersOf(packed["outputs"]),
  });
}

function parametersOf(packed: JsonObject[string] | undefined): JsonObject[string] {
  const parameters = (packed ?? []) as readonly JsonObject[]; // packProcess writes a list of objects
  return parameters.map((parameter) => jsonObject(without(parameter, OMITTED_FROM_PARAMETERS)));
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
