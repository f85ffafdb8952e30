/** A server that wants no pause would be asked without end, and a pause that no timer can hold is none. */
const SHORTEST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
/** The longest name that means anything is "event". */
const NAME_BYTES = 8;
const SPACE = 32;
const COLON = 58;

/** The name of a line's field (HTML standard, "event stream interpretation"); empty for a comment. */
export function fieldOf(line: Buffer): string {
  const name = line.subarray(0, NAME_BYTES).toString('latin1');
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(0, colon);
}

/** The value of a line. */
export function withoutField(line: Buffer): Buffer {
  const colon = line.indexOf(COLON);
  if (colon === -1) return line.subarray(line.length);
  return line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);
}

/** A `retry` line whose time is within bounds; as it is where it has none. */
export function clampRetry(line: Buffer): Buffer {
  const value = withoutField(line).toString('latin1');
  if (!/^\d+$/.test(value)) return line;
  return Buffer.from(`retry: ${Math.min(Math.max(Number(value), SHORTEST_RETRY_MS), LONGEST_RETRY_MS)}`);
}
