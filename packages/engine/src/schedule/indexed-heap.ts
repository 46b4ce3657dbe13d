/**
 * A priority queue whose first entry is always known. Entries can be added, removed, or moved after a change of rank;
 * each operation takes O(log n) comparisons.
 */
export class IndexedHeap<Entry> {
  readonly #isBefore: (one: Entry, other: Entry) => boolean;
  readonly #entries: Entry[] = [];
  readonly #places = new Map<Entry, number>();

  /** `isBefore` is a strict total order. */
  constructor(isBefore: (one: Entry, other: Entry) => boolean) {
    this.#isBefore = isBefore;
  }

  get first(): Entry | undefined {
    return this.#entries[0];
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Adds an entry, or moves it to its current position. */
  place(entry: Entry): void {
    const known = this.#places.get(entry);
    const index = known ?? this.#entries.length;
    if (known === undefined) this.#set(index, entry);
    this.#down(this.#up(index));
  }

  /** Removes an entry; does nothing if it is not in the queue. */
  remove(entry: Entry): void {
    const index = this.#places.get(entry);
    const last = this.#entries.at(-1);
    if (index === undefined || last === undefined) return;
    this.#entries.length -= 1;
    this.#places.delete(entry);
    if (last === entry) return;
    this.#set(index, last);
    this.#down(this.#up(index));
  }

  #up(from: number): number {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfBefore(index, parent)) break;
      index = parent;
    }
    return index;
  }

  #down(from: number): void {
    let index = from;
    for (;;) {
      const left = 2 * index + 1;
      const child = this.#isSwapNeeded(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfBefore(child, index)) return;
      index = child;
    }
  }

  #swapIfBefore(index: number, other: number): boolean {
    if (!this.#isSwapNeeded(index, other)) return false;
    const [one, two] = [this.#entries[index], this.#entries[other]];
    if (one === undefined || two === undefined) return false;
    this.#set(other, one);
    this.#set(index, two);
    return true;
  }

  #isSwapNeeded(index: number, other: number): boolean {
    const [one, two] = [this.#entries[index], this.#entries[other]];
    return one !== undefined && two !== undefined && this.#isBefore(one, two);
  }

  #set(index: number, entry: Entry): void {
    this.#entries[index] = entry;
    this.#places.set(entry, index);
  }
}
