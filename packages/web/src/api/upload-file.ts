import { ApiError } from "@weft/shared/client.ts";
import type { Problem } from "@weft/shared/records/problem.ts";
import type { UploadedFile } from "@weft/shared/records/process-record.ts";
import { basePath } from "../base-path.ts";

export interface Upload {
  readonly done: Promise<UploadedFile>;
  cancel(): void;
}

/** Sends one file into the state folder. `onProgress` gets a fraction from 0 to 1; fetch cannot tell how far it is. */
export function uploadFile(file: File, onProgress: (fraction: number) => void): Upload {
  const request = new XMLHttpRequest();
  const done = new Promise<UploadedFile>((resolve, reject) => {
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener("load", () =>
      request.status === 201 ? resolve(readUploaded(request.responseText)) : reject(refusal(request)),
    );
    request.addEventListener("error", () => reject(new Error("The connection broke during the upload")));
    request.addEventListener("abort", () => reject(new Error("The upload was cancelled")));
  });
  request.open("POST", `${basePath}/api/files?name=${encodeURIComponent(file.name)}`);
  request.setRequestHeader("accept", "application/json");
  request.setRequestHeader("content-type", "application/octet-stream");
  request.send(file);
  return { done, cancel: () => request.abort() };
}

function refusal(request: XMLHttpRequest): ApiError {
  const isJson = (request.getResponseHeader("content-type") ?? "").includes("json");
  return new ApiError(request.status, isJson ? readProblem(request.responseText) : undefined);
}

/** The server's tests prove that its answers have the declared shape; the compiler cannot see across the wire. */
function readUploaded(text: string): UploadedFile {
  return JSON.parse(text) as UploadedFile;
}

/** As above. */
function readProblem(text: string): Problem {
  return JSON.parse(text) as Problem;
}
