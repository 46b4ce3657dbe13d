/**
 * The id of a job within its run, made from its call (`outer[2]/inner[0]` → `outer-2.inner-0`): readable, and safe in
 * paths and URLs. If special characters could make two ids equal, the job's number is appended.
 */
export function jobIdOf(callId: string, n: number): string {
  if (callId === "") return "main";
  const id = callId
    .replace(/\[(\d+)\]/g, "-$1")
    .replaceAll("/", ".")
    .replace(/[^A-Za-z0-9._-]/g, "_");
  const safe = /^[A-Za-z0-9]/.test(id) ? id : `j${id}`;
  const plain = /^[A-Za-z0-9_]+(\[\d+\])*(\/[A-Za-z0-9_]+(\[\d+\])*)*$/.test(callId);
  return plain && safe.length <= 180 ? safe : `${safe.slice(0, 180)}.${n}`;
}
