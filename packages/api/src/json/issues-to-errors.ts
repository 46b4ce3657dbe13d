import type { z } from "zod";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { jsonPointer } from "@weft/shared/json-pointer.ts";
import { nearestName } from "./nearest-name.ts";

type Issue = z.core.$ZodIssue;

/** Maximum number of errors described. An answer lists fewer. */
const MAX_ERRORS = 10_000;

/** One error for every wrong field of a body; `pointer` points at the field. `fields`: the known names at the top level. */
export function bodyErrors(issues: readonly Issue[], body: unknown, fields: readonly string[]): ProblemError[] {
  const errors = issues.slice(0, MAX_ERRORS).flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.slice(0, MAX_ERRORS).map((key) => unknownField(issue.path, key, fields));
    if (issue.path.length > 0 && valueAt(body, issue.path) === undefined) {
      return [{ pointer: jsonPointer(issue.path), code: "missing-field", detail: "This field is required" }];
    }
    return [{ pointer: jsonPointer(issue.path), code: kebab(issue.code), detail: issue.message }];
  });
  return errors.slice(0, MAX_ERRORS);
}

/** One error for every wrong parameter or header, named by `parameter`. */
export function parameterErrors(issues: readonly Issue[]): ProblemError[] {
  return issues.slice(0, MAX_ERRORS).map((issue) => ({
    parameter: String(issue.path[0] ?? ""),
    code: kebab(issue.code),
    detail: issue.message,
  }));
}

/** An error for a parameter that a route does not have, with the name that was probably meant. */
export function unknownParameter(name: string, known: readonly string[]): ProblemError {
  const all = known.length === 0 ? "There are no query parameters here" : `Known: ${known.join(", ")}`;
  return {
    parameter: name,
    code: "unknown-parameter",
    detail: `There is no query parameter ${JSON.stringify(name)}`,
    hint: didYouMean(name, known) ?? all,
  };
}

function unknownField(path: readonly PropertyKey[], key: string, fields: readonly string[]): ProblemError {
  const hint = path.length === 0 ? didYouMean(key, fields) : undefined;
  const error = {
    pointer: jsonPointer([...path, key]),
    code: "unknown-field",
    detail: `There is no field ${JSON.stringify(key)}`,
  };
  return hint === undefined ? error : { ...error, hint };
}

function didYouMean(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : `Did you mean ${nearest}?`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = Object.getOwnPropertyDescriptor(here, key)?.value;
  }
  return here;
}

function kebab(code: string): string {
  return code.replaceAll("_", "-");
}
