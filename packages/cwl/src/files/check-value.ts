import type { CwlObject } from "../model/cwl-value.ts";
import type { InputParameter } from "../model/process.ts";
import { suggest } from "../suggest.ts";
import { checkType, matchesType } from "../check/check-type.ts";
import { pointerTo, type InputProblem } from "../values/input-problem.ts";
import { MAX_PROBLEMS, ProblemList } from "../values/problem-list.ts";
import { fieldOf } from "../values/value-kind.ts";
import { typeText } from "../model/type-text.ts";

/**
 * Checks an input object against a process's inputs before any file is read. Returns the first 1,000 missing, wrong and
 * unknown values (the last as warnings), each with a JSON pointer. Values without errors can be bound.
 */
export function checkInputs(
  process: { readonly inputs: readonly InputParameter[] },
  values: CwlObject,
): readonly InputProblem[] {
  const found = new ProblemList();
  for (const input of process.inputs) {
    if (found.isFull) break;
    found.addAll(checkInput(input, values));
  }
  found.addAll(unknownInputs(process.inputs, values));
  return found.problems;
}

function checkInput(input: InputParameter, values: CwlObject): readonly InputProblem[] {
  const value = fieldOf(values, input.id) ?? input.default ?? null;
  const pointer = pointerTo("", input.id);
  if (value !== null || matchesType(input.type, null)) return checkType(input.type, value, pointer);
  const name = input.label === undefined ? `\`${input.id}\`` : `\`${input.id}\` (${input.label})`;
  const message = `the input ${name} of type ${typeText(input.type)} is required`;
  return [{ severity: "error", pointer, code: "missing", message }];
}

function unknownInputs(inputs: readonly InputParameter[], values: CwlObject): readonly InputProblem[] {
  const ids = inputs.map(({ id }) => id);
  const known = new Set(ids);
  return Object.keys(values)
    .filter((name) => !known.has(name) && !name.includes(":"))
    .slice(0, MAX_PROBLEMS)
    .map((name) => {
      const near = suggest(name, ids);
      const problem = {
        severity: "warning",
        pointer: pointerTo("", name),
        code: "unknown-input",
        message: `there is no input \`${name}\``,
      } as const;
      return near === undefined ? problem : { ...problem, hint: `did you mean \`${near}\`?` };
    });
}
