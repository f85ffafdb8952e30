import { createHash } from 'node:crypto';

/** Nine years of computing without a pause, in microseconds; and the limit is for real-time processes alone. */
const LEAST_US = 2 ** 48;

/**
 * The mark of a run that a process cannot wash off with its environment: a number, as decimal digits, that stands for
 * the run's marker. It is set as the soft limit RLIMIT_RTTIME, which nobody else sets and no server ever reaches. Every
 * descendant inherits it: through setsid, a double fork, and an `execve` with an empty environment.
 */
export function limitMark(marker: string): string {
  return String(LEAST_US + createHash('sha256').update(marker).digest().readUIntBE(0, 6));
}

/** The soft limit as a text in the form of /proc/PID/limits tells it (proc(5)): digits, or `unlimited`. */
export function readLimitMark(limits: string): string | undefined {
  return /^Max realtime timeout\s+(\S+)/m.exec(limits)?.[1];
}
