import { createHash } from 'node:crypto';

/**
 * Smallest value of the mark, in microseconds: nine years of uninterrupted CPU time. The kernel applies this limit only to
 * real-time processes.
 */
const LEAST_US = 2 ** 48;

/**
 * Returns a mark by which the processes of a run are recognized even if they changed their environment: decimal digits derived
 * from the run's marker (the random value of its environment variable). The mark is set as the soft limit RLIMIT_RTTIME, which
 * other programs do not set and which no server reaches. Every descendant inherits the limit, even through setsid, a double
 * fork, or an `execve` with an empty environment.
 */
export function limitMark(marker: string): string {
  return String(LEAST_US + createHash('sha256').update(marker).digest().readUIntBE(0, 6));
}

/** Returns the soft limit as /proc/PID/limits prints it (proc(5)): digits, or `unlimited`. */
export function readLimitMark(limits: string): string | undefined {
  return /^Max realtime timeout\s+(\S+)/m.exec(limits)?.[1];
}
