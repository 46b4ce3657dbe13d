import { IndexedHeap } from "./indexed-heap.ts";
import { firstOf } from "./run-queue.ts";
import type { Lane } from "./run-queue.ts";

type Level = Map<string, IndexedHeap<Lane>>;

/**
 * The lanes that may be served, by priority and size class: one heap for each pair, so that a decision examines one
 * lane per class, however many runs and jobs wait.
 */
export class WaitingLanes {
  readonly #levels = new Map<number, Level>();
  /** Descending. */
  #priorities: readonly number[] = [];
  #looks = 0;

  /** How many lanes were examined or compared so far: the cost of decisions. */
  get looks(): number {
    return this.#looks;
  }

  /** Moves a lane to its current place. */
  place(lane: Lane): void {
    const level = this.#levelOf(lane.run.priority);
    let heap = level.get(lane.sizeClass);
    if (heap === undefined) level.set(lane.sizeClass, (heap = new IndexedHeap(this.#isBefore)));
    heap.place(lane);
  }

  remove(lane: Lane): void {
    const { priority } = lane.run;
    const level = this.#levels.get(priority);
    const heap = level?.get(lane.sizeClass);
    if (level === undefined || heap === undefined) return;
    heap.remove(lane);
    if (heap.size === 0) level.delete(lane.sizeClass);
    if (level.size > 0) return;
    this.#levels.delete(priority);
    this.#priorities = this.#priorities.filter((other) => other !== priority);
  }

  /** The first lane of each class, highest priority first. */
  *firsts(): Generator<{ readonly priority: number; readonly lanes: readonly Lane[] }> {
    for (const priority of this.#priorities) {
      const lanes = [...(this.#levels.get(priority)?.values() ?? [])].flatMap((heap) => heap.first ?? []);
      this.#looks += lanes.length;
      yield { priority, lanes };
    }
  }

  /**
   * Order of lanes of one priority: the run that holds less, then the one served longer ago, then the one that came
   * first.
   */
  isBefore(one: Lane, other: Lane): boolean {
    return this.#isBefore(one, other);
  }

  readonly #isBefore = (one: Lane, other: Lane): boolean => {
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
