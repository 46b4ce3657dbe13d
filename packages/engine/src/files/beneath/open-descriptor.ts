import { closeSync } from "node:fs";

/** A file descriptor that is closed once, by its owner. */
export class OpenDescriptor implements Disposable {
  readonly fd: number;
  /**
   * The file's path when it was opened, without links. Use it only for messages and as a key: by now, the path may
   * refer to another file.
   */
  readonly path: string;
  #isOpen = true;

  constructor(fd: number, path: string) {
    this.fd = fd;
    this.path = path;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Leaves closing to another owner. */
  protected handOver(): number {
    this.#isOpen = false;
    return this.fd;
  }
}
