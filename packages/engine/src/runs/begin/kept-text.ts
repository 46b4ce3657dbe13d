import { textDigest } from "../../files/hash-file.ts";

/** A text that the log keeps under its digest (`sha256:…`). `text` is absent if the log already has it. */
export interface KeptText {
  readonly digest: string;
  readonly text?: string;
}

export function keptText(text: string): KeptText {
  return { digest: textDigest(text), text };
}
