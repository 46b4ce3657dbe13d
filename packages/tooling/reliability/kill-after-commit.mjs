// Loaded into a server by `--import`, by tests alone: kills it (SIGKILL) in the very moment in which so many events of the run of a
// name have become durable, before anybody has heard of them. The log is written in a worker thread, which loads this as well.
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
