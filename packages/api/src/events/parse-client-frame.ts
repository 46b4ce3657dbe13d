import type { RawData } from "ws";
import { clientFrameSchema } from "@weft/shared/records/event-record.ts";
import type { ClientFrame } from "@weft/shared/records/event-record.ts";

/** Reads a frame of a client; a string says what is wrong with it. */
export function parseClientFrame(data: RawData, isBinary: boolean): ClientFrame | string {
  if (isBinary) return "Frames must be text";
  const value = parseJson(data);
  if (value === undefined) return "The frame is not JSON";
  const parsed = clientFrameSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "the frame" : issue.path.join(".");
  return `${place}: ${issue?.message ?? "not valid"}`;
}

function parseJson(data: RawData): unknown {
  try {
    // Text frames are handed over as one Buffer as long as the socket's binaryType is not changed.
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
