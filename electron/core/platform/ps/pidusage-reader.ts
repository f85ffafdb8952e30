import pidusage from 'pidusage';

export type ReadUsage = (
  pids: readonly number[],
) => Promise<ReadonlyMap<number, { readonly rssBytes: number; readonly cpuTimeMs: number }>>;

/**
 * Reads CPU and memory usage with the package pidusage, which supports the units and time formats of `ps` on AIX, the BSDs and
 * other systems. Omits processes that have ended.
 */
export const readUsage: ReadUsage = async (pids) => {
  if (pids.length === 0) return new Map();
  try {
    const found = await pidusage([...pids]);
    const known = Object.values(found).filter((status) => status !== null);
    return new Map(known.map(({ pid, memory, ctime }) => [pid, { rssBytes: memory, cpuTimeMs: ctime }]));
  } catch {
    return new Map(); // pidusage throws if none of the processes exists any more.
  }
};
