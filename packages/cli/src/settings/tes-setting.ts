import { existsSync } from "node:fs";
import { isAbsolute, normalize } from "node:path";
import { DEFAULT_TES } from "@weft/engine/executor/tes/tes-settings.ts";
import type { TesSettings } from "@weft/engine/executor/tes/tes-settings.ts";
import { z } from "zod";
import { count, seconds, text } from "./config-section.ts";
import type { Settings } from "./read-settings.ts";

/** The keys of the section `tes` of weft.config.json that describe the server. */
export const tesShape = ({ resolve }: Pick<Settings, "resolve">) => ({
  url: text
    .refine(
      (url) => URL.canParse(url) && /^https?:\/\//.test(url) && !/[?#]/.test(url),
      "must be the http(s) address of the API, such as https://tes.example.org/ga4gh/tes/v1",
    )
    .optional(),
  token_file: text
    .refine((file) => existsSync(resolve(file)), {
      error: ({ input }) => `names a file that does not exist: ${resolve(String(input))}`,
    })
    .transform(resolve)
    .optional(),
  default_image: text.optional(),
  poll_seconds: seconds(0.1).default(DEFAULT_TES.pollMs),
  max_jobs: count.default(DEFAULT_TES.maxJobs),
  shared_folder_latency_seconds: seconds(0).default(DEFAULT_TES.latencyMs),
  request_timeout_seconds: seconds(1).default(DEFAULT_TES.requestMs),
  storage: z
    .record(
      z.string(),
      z
        .string()
        .refine((place) => isAbsolute(place) || URL.canParse(place), "must be a path or an address, such as /mnt/weft"),
    )
    .default({})
    .superRefine((places, context) => {
      for (const folder of Object.keys(places))
        if (!isAbsolute(folder))
          context.addIssue({ code: "custom", path: [folder], message: "must be an absolute path" });
    })
    .transform((places) => Object.fromEntries(Object.entries(places).map(([folder, url]) => [normalize(folder), url]))),
});

/** The connection to a TES server, from the values of the section. */
export function tesSettings(section: z.output<z.ZodObject<ReturnType<typeof tesShape>>>): TesSettings {
  return {
    url: section.url,
    tokenFile: section.token_file,
    defaultImage: section.default_image,
    pollMs: section.poll_seconds,
    maxJobs: section.max_jobs,
    latencyMs: section.shared_folder_latency_seconds,
    requestMs: section.request_timeout_seconds,
    storage: section.storage,
  };
}
