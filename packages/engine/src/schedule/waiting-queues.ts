import { IndexedHeap } from "./indexed-heap.ts";
import { firstOf, type SizeQueue } from "./run-queue.ts";

type Level = Map<string, IndexedHeap<SizeQueue>>;

/**
 * The queues that may be served, in one heap per priority and size class, so that a decision examines one queue per
 * class, however many runs and jobs wait.
 */
export class WaitingQueues {
  readonly #levels = new Map<number, Level>();
  /** Priorities in descending order. */
  #priorities: readonly number[] = [];
  #looks = 0;

  /** Number of queues examined or compared so far: the cost of decisions. */
  get looks(): number {
    return this.#looks;
  }

  /** Updates the position of a queue. */
  place(queue: SizeQueue): void {
    const level = this.#levelOf(queue.run.priority);
    let heap = level.get(queue.sizeClass);
    if (heap === undefined) level.set(queue.sizeClass, (heap = new IndexedHeap(this.#isBefore)));
    heap.place(queue);
  }

  remove(queue: SizeQueue): void {
    const { priority } = queue.run;
    const level = this.#levels.get(priority);
    const heap = level?.get(queue.sizeClass);
    if (level === undefined || heap === undefined) return;
    heap.remove(queue);
    if (heap.size === 0) level.delete(queue.sizeClass);
    if (level.size > 0) return;
    this.#levels.delete(priority);
    this.#priorities = this.#priorities.filter((other) => other !== priority);
  }

  /** The first queue of each class, highest priority first. */
  *firsts(): Generator<{ readonly priority: number; readonly queues: readonly SizeQueue[] }> {
    for (const priority of this.#priorities) {
      const queues = [...(this.#levels.get(priority)?.values() ?? [])].flatMap((heap) => heap.first ?? []);
      this.#looks += queues.length;
      yield { priority, queues };
    }
  }

  /**
   * Order within one priority: the run with the smaller share first, then the least recently served, then the earliest
   * submitted job.
   */
  isBefore(one: SizeQueue, other: SizeQueue): boolean {
    return this.#isBefore(one, other);
  }

  readonly #isBefore = (one: SizeQueue, other: SizeQueue): boolean => {
    this.#looks += 1;
    if (one.run.share !== other.run.share) return one.run.share < other.run.share;
    if (one.run.turn !== other.run.turn) return one.run.turn < other.run.turn;
    return (firstOf(one)?.order ?? Infinity) < (firstOf(other)?.order ?? Infinity);
  };

  #levelOf(priority: number): Level {
    const known = this.#levels.get(priority);
    if (known !== undefined) return known;
    const level: Level = new Map();
    this.#levels.set(priority, level);
    this.#priorities = [...this.#priorities, priority].sort((a, b) => b - a);
    return level;
  }
}
