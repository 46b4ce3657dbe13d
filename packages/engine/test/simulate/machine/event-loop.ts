/** The owner of a scheduled event: nothing happens on behalf of a process that has ended. */
export interface Owner {
  readonly isAlive: boolean;
}

/** Outlives every process: other machines, and the world itself. */
export const WORLD: Owner = { isAlive: true };

export interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly owner: Owner;
  readonly act: () => void;
  isCanceled: boolean;
}

/** Virtual time: it only passes from one event to the next. Events of one moment happen in the order of their scheduling. */
export class EventLoop {
  nowMs = 0;
  readonly #heap: Timer[] = [];
  #order = 0;
  /** Number of events that happened. */
  steps = 0;

  after(delayMs: number, act: () => void, owner: Owner): Timer {
    const delay = Number.isFinite(delayMs) ? Math.max(0, delayMs) : 0;
    const timer = { dueMs: this.nowMs + delay, order: ++this.#order, owner, act, isCanceled: false };
    this.#push(timer);
    return timer;
  }

  /** Lets the next event happen; false if there is none. */
  step(): boolean {
    for (let next = this.#pop(); next !== undefined; next = this.#pop()) {
      if (next.isCanceled || !next.owner.isAlive) continue;
      this.nowMs = next.dueMs;
      this.steps += 1;
      next.act();
      return true;
    }
    return false;
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(timer, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = timer;
  }

  #pop(): Timer | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [one, other] = [heap[left], heap[left + 1]];
      if (one === undefined) break;
      const isOther = other !== undefined && isBefore(other, one);
      const child = isOther ? other : one;
      if (!isBefore(child, last)) break;
      heap[at] = child;
      at = isOther ? left + 1 : left;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.order < other.order);
}
