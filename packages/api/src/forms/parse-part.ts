import { Refusal } from "@weft/shared/records/refusal.ts";
import type { JsonLimits } from "../http/http-limits.ts";
import { parseJsonBody } from "../json/parse-json.ts";

/** Parses the JSON of one part of a form. Its refusals begin with `place`, which names the part. */
export async function parsePart(text: Buffer, place: string, limits: JsonLimits): Promise<unknown> {
  try {
    return await parseJsonBody(text, limits);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, errors } = error;
    throw new Refusal(code, `${place}: ${message.replace(/^The body/, "this")}`, { errors });
  }
}
