/** The resources of a run. */
type RunPart = "jobs" | "events" | "outputs" | "outputs.zip" | "provenance";

/**
 * Addresses of the API and the pages, built in one place. `base` is the base address without a trailing slash:
 * `http://127.0.0.1:8080` or `https://lab.example/weft`.
 */
export function createLinks(base: string) {
  const run = (runId: string) => `${base}/api/runs/${runId}`;
  const job = (runId: string, jobId: string) => `${run(runId)}/jobs/${jobId}`;
  return {
    base,
    network: (id: string, version?: string | null) =>
      `${base}/api/networks/${id}${version ? `?version=${encodeURIComponent(version)}` : ""}`,
    tool: (id: string, version?: string | null) =>
      `${base}/api/tools/${id}${version ? `/${encodeURIComponent(version)}` : ""}`,
    wesDocument: (digest: string) => `${base}/api/wes-documents/${digest}`,
    run,
    runStatus: (runId: string) => `${run(runId)}/status`,
    runPart: (runId: string, part: RunPart) => `${run(runId)}/${part}`,
    runPage: (runId: string) => `${base}/run/${runId}`,
    job,
    jobLog: (runId: string, jobId: string, stream: "stdout" | "stderr") => `${job(runId, jobId)}/log?stream=${stream}`,
    /** `path` is relative, its segments separated by `/`, not encoded. */
    runFile: (runId: string, path: string) =>
      `${run(runId)}/files/${path.split("/").map(encodeURIComponent).join("/")}`,
    problem: (code: string) => `${base}/doc/reference/problems#${code}`,
  } as const;
}

export type Links = ReturnType<typeof createLinks>;
