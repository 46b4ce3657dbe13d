/**
 * Processor time that this thread has used, in milliseconds. Tests compare it instead of wall-clock time, which also
 * passes while other processes use the processor.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
