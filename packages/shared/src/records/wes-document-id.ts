/** Whether a run's process is a document that arrived through WES; names in the catalog have no colon. */
export function isWesDocument(processId: string): boolean {
  return processId.startsWith("sha256:");
}
