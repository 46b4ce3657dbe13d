/** The layouts of runs whose results are being viewed: clients request the pages of a layout one after the other. */
export class RecentLayouts<Layout> {
  readonly #most: number;
  /** Layouts in the order of their last use. */
  readonly #layouts = new Map<string, Layout>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, make: () => Layout): Layout {
    const layout = this.#layouts.get(key) ?? make();
    this.#layouts.delete(key);
    this.#layouts.set(key, layout);
    const [oldest = ""] = this.#layouts.keys();
    if (this.#layouts.size > this.#most) this.#layouts.delete(oldest);
    return layout;
  }

  forget(key: string): void {
    this.#layouts.delete(key);
  }
}
