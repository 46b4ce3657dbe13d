import { Files } from "../machine/files.ts";
import type { Machine } from "../machine/machine.ts";

/** The disk as other processes and machines use it: they continue when the server is killed. */
export class ForeignFiles {
  readonly #machine: Machine;
  readonly #files: Files;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#files = new Files(machine.volume, () => undefined);
  }

  has(path: string): boolean {
    return this.text(path) !== undefined;
  }

  /** Undefined if it cannot be read. */
  text(path: string): string | undefined {
    return orUndefined(() => this.#files.content(path).toString("utf8"));
  }

  /** Creates a file that must not exist yet; the code of the error if that fails. */
  claim(path: string): string | undefined {
    return codeOf(() => this.#files.close(this.#files.open(path, "wx")));
  }

  remove(path: string): string | undefined {
    return codeOf(() => this.#machine.volume.remove(this.#files.need(path, false)));
  }

  append(path: string, text: string): string | undefined {
    return codeOf(() => {
      const fd = this.#files.open(path, "a");
      this.#files.write(fd, Buffer.from(text));
      this.#files.close(fd);
    });
  }

  write(path: string, text: string): string | undefined {
    return codeOf(() => {
      const fd = this.#files.open(path, "w");
      this.#files.write(fd, Buffer.from(text));
      this.#files.close(fd);
    });
  }

  folder(path: string): string | undefined {
    return codeOf(() => {
      const spot = this.#files.spot(path);
      if (spot.inode === undefined) this.#machine.volume.make("folder", spot);
    });
  }

  /** Written data is on disk at once, as on another machine. */
  sync(...paths: readonly string[]): void {
    for (const path of paths) orUndefined(() => this.#machine.volume.keep(this.#files.spot(path)));
  }
}

function orUndefined<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function codeOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "EIO"; // the error is from a system call
  }
}
