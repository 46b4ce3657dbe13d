import { Option } from "commander";
import { UsageError } from "../exit/exit.ts";

/** One flag of the command line; its value may also come from a variable `WEFT_…` or from weft.config.json. */
export class Flag extends Option {
  /** True if the flag may be repeated. */
  readonly isList: boolean;

  /** `flags`: `--name` for a switch, `--name <WHAT>` for a flag with a value. */
  constructor(flags: string, description: string, kind: "single" | "list" = "single") {
    super(flags, kind === "list" ? `${description} (repeatable)` : description);
    this.isList = kind === "list";
    this.negate = false; // --no-container is a flag, not the opposite of --container
    if (this.required) this.argParser<unknown>((text, before) => this.#take(text, before));
  }

  /** The name as written, which is also its key in weft.config.json. */
  override attributeName(): string {
    return this.name();
  }

  /** `before`: the values of a list so far. */
  #take(text: string, before: unknown): unknown {
    if (text.startsWith("--")) throw new UsageError(`--${this.name()} requires a value; "${text}" is an option`);
    return this.isList ? [...(Array.isArray(before) ? before : []), text] : text;
  }
}
