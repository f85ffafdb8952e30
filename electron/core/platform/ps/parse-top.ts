/** Arguments for the output that `parseTop` reads: one sample, without the maps of frameworks and memory, which cost most. */
export const TOP_ARGS = ['-l', '1', '-F', '-R', '-stats', 'pid,mem'] as const;

const LINE = /^\s*(\d+)[*+-]?\s+(\d+(?:\.\d+)?)([BKMGT])[+-]?\s*$/;
const UNITS = 'BKMGT';
const BYTES_PER_STEP = 1024;

/**
 * Parses a listing of top(1) of macOS: the physical footprint in bytes by pid, which is private memory, whether resident,
 * compressed or swapped out, as in Activity Monitor. Skips malformed lines.
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
