import { Reach } from "../../files/beneath/reach.ts";
import { runLater } from "../../files/beneath/steps.ts";

/** The folders to which outputs may be written. */
export interface SinkFolders {
  /** Name → absolute path. */
  readonly folders: Readonly<Record<string, string>>;
  /** The account's umask before the server made its own files private. */
  readonly umask: number;
}

export const NO_SINKS: SinkFolders = { folders: {}, umask: 0o077 };

/** The reason why outputs were not copied. */
export interface PlacingFault {
  readonly message: string;
  readonly hint: string;
}

/** The folder that a destination is in. */
export interface OpenedSink {
  /** As the server's options name it; `path` is the real one. */
  readonly folder: string;
  readonly path: string;
  readonly sink: Reach;
}

/** Finds the folder of a destination, or the reason why nothing can be written there. */
export async function openSink(
  root: string,
  shown: string,
  { folders }: SinkFolders,
): Promise<OpenedSink | PlacingFault> {
  const folder = folders[root];
  if (folder !== undefined) {
    const sink = new Reach({ regions: [{ folder }] });
    const path = await runLater(sink.realPath(folder));
    if (path !== undefined) return { folder, path, sink };
  }
  return {
    message: `${shown} is not in a folder that this server may write to`,
    hint: `start the server with --sink ${root}=DIR`,
  };
}

export function leadsOut(shown: string, folder: string): PlacingFault {
  return { message: `${shown} leads out of its folder through a link`, hint: `remove the link below ${folder}` };
}
