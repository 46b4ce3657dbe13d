/**
 * The id of a job within its run, made from its call (`outer[2]/inner[0]` → `outer-2.inner-0`): readable, safe in paths
 * and addresses. Calls whose names hold signs that would make two ids equal get the job's number as well.
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
