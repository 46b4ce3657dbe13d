import type { CwlValue, FileOrDirectory } from "../../model/cwl-value.ts";
import { isPlainName } from "../value/file-name.ts";
import { pointerTo, type InputProblem } from "../input-problem.ts";
import { isArray, isFileOrDirectory } from "../value/value-kind.ts";

/**
 * What is wrong with a File or Directory object by itself, without a look at the disk.
 * CWL v1.2 CommandLineTool.html#File, #Directory.
 */
export function checkFileValue(value: FileOrDirectory, pointer: string): readonly InputProblem[] {
  return [
    ...checkAddress(value, pointer),
    ...checkTexts(value, pointer),
    ...checkName(value, pointer),
    ...checkMembers(value, pointer),
  ];
}

function invalid(pointer: string, message: string): InputProblem {
  return { severity: "error", pointer, code: "invalid-file", message };
}

function checkAddress(value: FileOrDirectory, pointer: string): readonly InputProblem[] {
  if ((value.location ?? value.path ?? undefined) !== undefined) return [];
  const literal = value.class === "File" ? value.contents : value.listing;
  if ((literal ?? undefined) !== undefined) return [];
  const field = value.class === "File" ? "contents" : "listing";
  return [invalid(pointer, `this ${value.class} has neither \`location\` nor \`path\` nor \`${field}\``)];
}

function checkTexts(value: FileOrDirectory, pointer: string): readonly InputProblem[] {
  const texts: readonly (readonly [string, CwlValue | undefined])[] = [
    ["location", value.location],
    ["path", value.path],
    ["basename", value.basename],
    ["contents", value.class === "File" ? value.contents : undefined],
    ["format", value.class === "File" ? value.format : undefined],
  ];
  return texts
    .filter(([, text]) => text !== undefined && text !== null && typeof text !== "string")
    .map(([field]) => invalid(pointerTo(pointer, field), `\`${field}\` must be a text`));
}

function checkName(value: FileOrDirectory, pointer: string): readonly InputProblem[] {
  const { basename } = value;
  if (typeof basename !== "string" || isPlainName(basename)) return [];
  return [
    invalid(
      pointerTo(pointer, "basename"),
      `\`${basename}\` cannot be the name of a ${value.class}: it must be a single name without slashes`,
    ),
  ];
}

function checkMembers(value: FileOrDirectory, pointer: string): readonly InputProblem[] {
  const field = value.class === "File" ? "secondaryFiles" : "listing";
  // Values come from outside: the declared type of the field is a hope.
  const members = (value.class === "File" ? value.secondaryFiles : value.listing) as CwlValue | undefined;
  const at = pointerTo(pointer, field);
  if (members === undefined || members === null) return [];
  if (!isArray(members)) return [invalid(at, `\`${field}\` must be a list of Files and Directories`)];
  return members.flatMap((member, index) => {
    const inner = pointerTo(at, index);
    return isFileOrDirectory(member) ? checkFileValue(member, inner) : [invalid(inner, "expected a File or Directory")];
  });
}
