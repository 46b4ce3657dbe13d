import type { z } from "zod";
import { trsErrorSchema, wesErrorSchema } from "@weft/shared/records/ga4gh-record.ts";
import type { Problem } from "@weft/shared/records/problem.ts";

/** The form of errors in a GA4GH standard. */
export interface ErrorForm {
  readonly schema: z.ZodType;
  write(problem: Problem, status: number): unknown;
}

const WES: ErrorForm = {
  schema: wesErrorSchema,
  write: (problem, code) => ({ msg: tell(problem), status_code: code }),
};
const TRS: ErrorForm = { schema: trsErrorSchema, write: (problem, code) => ({ code, message: tell(problem) }) };

/** The form of errors at this path; undefined if problems (RFC 9457) are used. */
export function errorFormAt(path: string): ErrorForm | undefined {
  if (path.startsWith("/ga4gh/wes/")) return WES;
  return path.startsWith("/ga4gh/trs/") ? TRS : undefined;
}

/** The standards use 400 for both; Weft distinguishes malformed (400) from invalid (422) requests. */
export function ga4ghStatus(status: number): number {
  return status === 422 ? 400 : status;
}

/** The problem as one text, because there is no field for locations. Omits the first error if the detail contains it. */
function tell({ detail, errors }: Problem): string {
  let text = detail;
  const others: string[] = [];
  for (const { pointer, parameter, detail: fault, hint } of errors) {
    const place = pointer ?? parameter ?? "";
    const named = place === "" ? fault : `${place}: ${fault}`;
    const complete = hint === undefined ? named : `${named} (${hint})`;
    if (text.includes(named)) text = text.replace(named, () => complete);
    else if (fault === detail) text = complete;
    else others.push(complete);
  }
  return [text, ...others].join("; ");
}
