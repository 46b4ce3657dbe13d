import type { DatabaseSync } from "node:sqlite";
import { createLogReader, type LogReader } from "../log-reader.ts";
import { openForWriting } from "../open-database.ts";
import type { Row } from "../statements.ts";

interface Explaining {
  readonly db: DatabaseSync;
  readonly read: LogReader;
  readonly plans: string[];
}

/** A connection that reports SQLite's query plan for every statement; without one, to an empty log in memory. */
export function explaining(db = openForWriting(":memory:", "fast")): Explaining {
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
  return { db, read: createLogReader({ prepare } as unknown as DatabaseSync, "writer"), plans };
}
