import type { FileOrDirectory } from "../model/cwl-value.ts";
import { pointerTo, type InputProblem } from "../values/input-problem.ts";
import { ProblemList } from "../values/problem-list.ts";

/**
 * Whether a File or Directory says where its content is, at any depth; everything else was checked when it became a value.
 * CWL v1.2 CommandLineTool.html#File, #Directory.
 */
export function checkFileValue(value: FileOrDirectory, pointer: string): readonly InputProblem[] {
  const field = value.class === "File" ? "secondaryFiles" : "listing";
  const members = (value.class === "File" ? value.secondaryFiles : value.listing) ?? [];
  const at = pointerTo(pointer, field);
  const found = new ProblemList();
  found.addAll(checkAddress(value, pointer));
  for (const [index, member] of members.entries()) {
    if (found.isFull) break;
    found.addAll(checkFileValue(member, pointerTo(at, index)));
  }
  return found.problems;
}

function checkAddress(value: FileOrDirectory, pointer: string): readonly InputProblem[] {
  const literal = value.class === "File" ? value.contents : value.listing;
  if ((value.location ?? value.path ?? literal) !== undefined) return [];
  const field = value.class === "File" ? "contents" : "listing";
  const message = `this ${value.class} has neither \`location\` nor \`path\` nor \`${field}\``;
  return [{ severity: "error", pointer, code: "invalid-file", message }];
}
