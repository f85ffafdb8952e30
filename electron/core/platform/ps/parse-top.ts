/** What `parseTop` reads: one sample, without the maps of frameworks and of memory, which cost most. */
export const TOP_ARGS = ['-l', '1', '-F', '-R', '-stats', 'pid,mem'] as const;

const LINE = /^\s*(\d+)[*+-]?\s+(\d+(?:\.\d+)?)([BKMGT])[+-]?\s*$/;
const UNITS = 'BKMGT';
const BYTES_PER_STEP = 1024;

/**
 * Reads a listing of top(1) of macOS: the physical footprint in bytes by pid. That is what a process has for itself, in
 * memory, compressed or swapped out, as Activity Monitor shows it. Lines of another form are left out.
 */
export function parseTop(output: string): ReadonlyMap<number, number> {
  const footprints = new Map<number, number>();
  for (const line of output.split('\n')) {
    const [, pid, size, unit] = LINE.exec(line) ?? [];
    if (pid === undefined || unit === undefined) continue;
    footprints.set(Number(pid), Math.round(Number(size) * BYTES_PER_STEP ** UNITS.indexOf(unit)));
  }
  return footprints;
}
