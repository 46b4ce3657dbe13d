import { ApiError } from "@weft/shared/routes/client.ts";
import type { Problem } from "@weft/shared/records/problem.ts";
import { basePath } from "./base-path.ts";

export interface Sending<Answer> {
  readonly done: Promise<Answer>;
  cancel(): void;
}

interface FileToSend {
  /** Path of the route, with its query. */
  readonly path: string;
  readonly file: File;
  readonly mediaType: string;
}

/** Sends a file as the body of a POST. `onProgress` gets a fraction from 0 to 1; fetch reports no progress. */
export function sendFile<Answer>(
  { path, file, mediaType }: FileToSend,
  onProgress: (fraction: number) => void,
): Sending<Answer> {
  const request = new XMLHttpRequest();
  const done = new Promise<Answer>((resolve, reject) => {
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener("load", () =>
      // The server's tests prove that its answers have the declared shape; the compiler cannot see across the wire.
      request.status === 201 ? resolve(JSON.parse(request.responseText) as Answer) : reject(refusal(request)),
    );
    request.addEventListener("error", () => reject(new Error("The connection was lost during the upload")));
    request.addEventListener("abort", () => reject(new Error("The upload was canceled")));
  });
  request.open("POST", `${basePath}${path}`);
  request.setRequestHeader("accept", "application/json");
  request.setRequestHeader("content-type", mediaType);
  request.send(file);
  return { done, cancel: () => request.abort() };
}

function refusal(request: XMLHttpRequest): ApiError {
  const isJson = (request.getResponseHeader("content-type") ?? "").includes("json");
  // The server's JSON answers match the declaration of the route.
  return new ApiError(request.status, isJson ? (JSON.parse(request.responseText) as Problem) : undefined);
}
