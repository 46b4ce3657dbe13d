import { undefinedIfMissing } from "./beneath/undefined-if-missing.ts";
import { openTrustedFolder } from "./beneath/open-folder.ts";
import { runLater, type Steps } from "./beneath/steps.ts";

const TAIL_BYTES = 8192;
const TAIL_LINES = 20;
/** A link or a file in the path, or a folder, pipe or socket in place of the log. */
const NO_LOG = new Set(["ELOOP", "ENOTDIR", "EISDIR", "ENXIO"]);

/**
 * The last lines of a log, for the failure card; undefined if the log is empty. `folder`: that of the attempt; `path`:
 * relative to it. A job may have replaced its log: only a regular file counts, and no link in the path is followed.
 */
export async function readTail(folder: string, path: string): Promise<string | undefined> {
  const tail = await runLater(tailOf(folder, path)).catch(noLog);
  if (tail === undefined) return undefined;
  const lines = tail.text.replace(/\n$/, "").split("\n");
  // An incomplete first line would mislead.
  const whole = tail.isPart ? lines.slice(1) : lines;
  const text = whole.slice(-TAIL_LINES).join("\n");
  return text === "" ? undefined : text;
}

interface Tail {
  readonly text: string;
  readonly isPart: boolean;
}

function* tailOf(folder: string, path: string): Steps<Tail | undefined> {
  const names = path.split("/");
  const last = names.pop() ?? "";
  let inner = yield* openTrustedFolder(folder);
  try {
    for (const name of names) {
      const outer = inner;
      inner = yield* outer.folder(name);
      outer.close();
    }
    if ((yield* inner.lstat(last))?.isFile() !== true) return undefined;
    using file = yield* inner.file(last);
    const start = Math.max(0, file.stats.size - TAIL_BYTES);
    return { text: (yield* file.read(start, TAIL_BYTES)).toString("utf8"), isPart: start > 0 };
  } finally {
    inner.close();
  }
}

function noLog(error: NodeJS.ErrnoException): undefined {
  return NO_LOG.has(error.code ?? "") ? undefined : undefinedIfMissing(error);
}
