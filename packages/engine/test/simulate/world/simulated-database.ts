import type { Decisions } from "../machine/decisions.ts";
import type { Machine } from "../machine/machine.ts";
import type { FaultRates } from "./faults.ts";
import { ReusedDatabase } from "./reused-database.ts";

const FULL = 13;
const BUSY = 5;
const FAILED_SYNC = 10 | (4 << 8);
/** Commits for which one slice of the reserved space suffices. */
const COMMITS_PER_SLICE = 3;
const SLICES = 16;

const unused: ReusedDatabase[] = [];

/**
 * The database of the log in memory, as SQLite is on a real disk: a commit is certain once it was synced; one whose sync
 * failed, or that was never synced, may be there after the next start or not. Transactions are whole, because SQLite
 * checks its log.
 */
export class SimulatedDatabase {
  readonly database: ReusedDatabase;
  readonly #machine: Machine;
  /** Another program holds its lock. */
  isLocked = false;
  #room = 0;
  #slices = SLICES;
  /** The state with the commit whose sync failed: readers do not see it, but a server that opens the file may. */
  #failed: Uint8Array<ArrayBuffer> | undefined;
  /** The state before commits that were never synced. */
  #certain: Uint8Array<ArrayBuffer> | undefined;
  #isSynced = true;
  #commits = 0;
  #isReplaced = false;
  /** The commit whose sync fails. */
  readonly #failsAt: number;

  constructor(machine: Machine, rates: Pick<FaultRates, "failedSync">) {
    this.#machine = machine;
    const { decisions } = machine;
    const at = decisions.between("database.sync", 1, 80);
    this.#failsAt = decisions.happens("database.failed-sync", rates.failedSync) ? at : Number.POSITIVE_INFINITY;
    this.database = unused.pop() ?? new ReusedDatabase();
    this.database.exec = (sql) => this.#exec(sql);
  }

  /** The state that a server finds when it opens the database. */
  reopened(hasLostPower: boolean, decisions: Decisions): SimulatedDatabase {
    const other = this.#failed ?? (hasLostPower ? this.#certain : undefined);
    this.#failed = undefined;
    this.#certain = undefined;
    if (other === undefined || decisions.fraction("database.other") < 0.5) return this;
    const again = new SimulatedDatabase(this.#machine, { failedSync: 0 });
    again.#isReplaced = true;
    again.database.replaceContent(other);
    this.database.discard();
    return again;
  }

  /** Returns the database for the next world. */
  finish(): void {
    // SQLite keeps it in another form, which it serializes differently.
    if (this.#isReplaced) return this.database.discard();
    delete (this.database as { exec?: unknown }).exec;
    this.database.clear();
    unused.push(this.database);
  }

  /** The reserved space, as `Ballast` keeps it in a file. */
  readonly ballast = {
    giveUp: () => {
      if (this.#slices === 0) return false;
      this.#slices -= 1;
      this.#room += COMMITS_PER_SLICE;
      return true;
    },
    restore: () => {
      if (this.#machine.volume.isFull) return false;
      this.#slices = SLICES;
      this.#room = 0;
      return true;
    },
  };

  #exec(sql: string): void {
    const exec = (text: string) => ReusedDatabase.prototype.exec.call(this.database, text);
    if (sql.startsWith("PRAGMA synchronous")) this.#isSynced = sql.includes("FULL");
    if (sql === "BEGIN IMMEDIATE") this.#begin();
    if (sql !== "COMMIT") return exec(sql);
    this.#machine.enter();
    this.#requireCapacity();
    if (this.#commits === this.#failsAt) {
      this.#failed = this.database.serialize();
      throw failure(FAILED_SYNC);
    }
    exec(sql);
    this.#machine.enter();
  }

  #begin(): void {
    if (this.isLocked) throw failure(BUSY);
    this.#commits += 1;
    if (!this.#isSynced) this.#certain ??= this.database.serialize();
  }

  #requireCapacity(): void {
    if (!this.#machine.volume.isFull) return;
    if (this.#room === 0) throw failure(FULL);
    this.#room -= 1;
  }
}

function failure(errcode: number): Error {
  return Object.assign(new Error(`SQLite error ${errcode}`), { errcode });
}
