import { readFileSync, writeFileSync } from 'node:fs';

const BYTES_PER_KIB = 1024;

/** Resets what `peakBytes` counts (Linux, own processes). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Most memory of the process since `forgetPeak`, as the system counts it: no blocked loop hides it. */
export const peakBytes = (pid: number): number => statusBytes(pid, 'VmHWM');

export const residentBytes = (pid: number): number => statusBytes(pid, 'VmRSS');

function statusBytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * BYTES_PER_KIB;
}
