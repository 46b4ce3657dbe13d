// Tests load this into a server by `--import`: it kills the server (SIGKILL) as soon as a given number of events of a named
// run are durable, before any client receives them. A worker thread writes the log and loads this as well.
import { DatabaseSync } from "node:sqlite";

const { WEFT_KILL_RUN: name, WEFT_KILL_EVENTS: count } = process.env;
const exec = Reflect.get(DatabaseSync.prototype, "exec");
const EVENTS = "SELECT count(*) AS n FROM events WHERE run_id = (SELECT run_id FROM runs WHERE name = ?)";

if (name !== undefined) {
  DatabaseSync.prototype.exec = function (sql) {
    exec.call(this, sql);
    if (sql === "COMMIT" && this.prepare(EVENTS).get(name).n >= Number(count)) process.kill(process.pid, "SIGKILL");
  };
}
