import type { DatabaseSync } from "node:sqlite";
import { createLogReader } from "../log-reader.ts";
import type { LogReader } from "../log-reader.ts";
import type { Row } from "../statements.ts";

/** A connection that reports SQLite's query plan for every statement. */
export function explaining(db: DatabaseSync): { readonly read: LogReader; readonly plans: string[] } {
  const plans: string[] = [];
  const prepare = (text: string) => {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${text}`);
    const statement = db.prepare(text);
    const note = (values: readonly (string | number)[]): Row[] => {
      plans.push(...plan.all(...values).map(({ detail }) => String(detail)));
      return statement.all(...values);
    };
    return {
      setReturnArrays: (isOn: boolean) => statement.setReturnArrays(isOn),
      all: (...values: (string | number)[]) => note(values),
      get: (...values: (string | number)[]) => note(values)[0],
    };
  };
  // The part of a connection that reading needs.
  return { read: createLogReader({ prepare } as unknown as DatabaseSync, "writer"), plans };
}
