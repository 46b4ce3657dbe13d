import type { InputBinding, OutputBinding, SecondaryFilePattern } from "../../model/binding.ts";
import type { JsonObject, JsonValue } from "../../model/json-value.ts";
import { ifTrue, jsonObject } from "./json-object.ts";
import type { PackScope } from "./pack-scope.ts";

export function packInputBinding({ separate, shellQuote, ...rest }: InputBinding): JsonObject {
  return jsonObject({
    ...rest,
    separate: separate ? undefined : false,
    shellQuote: shellQuote ? undefined : false,
  });
}

export function packOutputBinding({ loadContents, ...rest }: OutputBinding): JsonObject {
  return jsonObject({ ...rest, loadContents: ifTrue(loadContents) });
}

interface Contents {
  readonly loadContents: boolean;
  readonly inputBinding?: InputBinding;
}

/** `loadContents` and the binding; in v1.0, the binding contains it. */
export function packContents({ loadContents, inputBinding }: Contents, { version }: PackScope) {
  const binding = inputBinding === undefined ? undefined : packInputBinding(inputBinding);
  if (version !== "v1.0") return { inputBinding: binding, loadContents: ifTrue(loadContents) };
  return { inputBinding: loadContents ? jsonObject({ ...binding, loadContents }) : binding };
}

/** v1.0 allows only strings as patterns, and a `?` at their end does not mean "optional" there. */
export function packSecondaryFiles(
  patterns: readonly SecondaryFilePattern[],
  { version }: PackScope,
): readonly JsonValue[] {
  return patterns.map((file) => (version === "v1.0" ? file.pattern : jsonObject({ ...file })));
}

export function packFormat(format: readonly string[] | undefined): JsonValue | undefined {
  return format?.length === 1 ? format[0] : format;
}
