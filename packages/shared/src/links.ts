/** The resources of a run. */
export type RunPart = "jobs" | "events" | "outputs" | "outputs.zip" | "provenance";

/**
 * Addresses of the API and the pages, built in one place. `base` is the base address without a trailing slash:
 * `http://127.0.0.1:8080` or `https://lab.example/weft`.
 */
export interface Links {
  readonly base: string;
  network(id: string, version?: string | null): string;
  tool(id: string, version?: string | null): string;
  wesDocument(digest: string): string;
  run(runId: string): string;
  runStatus(runId: string): string;
  runPart(runId: string, part: RunPart): string;
  runPage(runId: string): string;
  job(runId: string, jobId: string): string;
  jobLog(runId: string, jobId: string, stream: "stdout" | "stderr"): string;
  /** `path` is relative, its segments separated by `/`, not encoded. */
  runFile(runId: string, path: string): string;
  problem(code: string): string;
}

export function createLinks(base: string): Links {
  const run = (runId: string) => `${base}/api/runs/${runId}`;
  const job = (runId: string, jobId: string) => `${run(runId)}/jobs/${jobId}`;
  return {
    base,
    network: (id, version) => `${base}/api/networks/${id}${version ? `?version=${encodeURIComponent(version)}` : ""}`,
    tool: (id, version) => `${base}/api/tools/${id}${version ? `/${encodeURIComponent(version)}` : ""}`,
    wesDocument: (digest) => `${base}/api/wes-documents/${digest}`,
    run,
    runStatus: (runId) => `${run(runId)}/status`,
    runPart: (runId, part) => `${run(runId)}/${part}`,
    runPage: (runId) => `${base}/run/${runId}`,
    job,
    jobLog: (runId, jobId, stream) => `${job(runId, jobId)}/log?stream=${stream}`,
    runFile: (runId, path) => `${run(runId)}/files/${path.split("/").map(encodeURIComponent).join("/")}`,
    problem: (code) => `${base}/doc/reference/problems#${code}`,
  };
}
