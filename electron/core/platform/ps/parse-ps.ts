import { basename } from 'node:path';
import type { ProcessReading } from '../process-table.ts';

/** Format for `ps -o` that `parsePs` reads. The start time is the only field with spaces before the name, which is last. */
export const PS_FORMAT = 'pid=,ppid=,pgid=,stat=,lstart=,rss=,time=,comm=';

const LINE =
  /^(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(\d+)\s+([\d:.-]+)\s+(\S.*)$/;

/**
 * Parses a listing of ps(1) as macOS and Linux print it in the C locale. Skips zombies and malformed lines. The start time is
 * exact to the second: with the pid, that is enough to distinguish a process from its successor.
 */
export function parsePs(output: string): readonly ProcessReading[] {
  return output.split('\n').flatMap((line) => {
    const [, pid, ppid, groupId, state = '', startTime = '', rss, time = '', command = ''] =
      LINE.exec(line.trim()) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    return [
      {
        pid: Number(pid),
        ppid: Number(ppid),
        groupId: Number(groupId),
        startTime: startTime.replace(/\s+/g, ' '),
        // macOS prints the whole path.
        command: basename(command),
        isStopped: state.startsWith('T') && !state.includes('X'),
        // macOS: "X The process is being traced or debugged", beside T while it is held. Linux has a state for that.
        isHeld: state.startsWith('t') || (state.startsWith('T') && state.includes('X')),
        cpuTimeMs: parseCpuTime(time),
        reapedCpuTimeMs: 0,
        rssBytes: Number(rss) * 1024,
      },
    ];
  });
}

/** Parses `[days-][hours:]minutes:seconds[.hundredths]` into milliseconds. */
export function parseCpuTime(text: string): number {
  const [clock = '', days = '0'] = text.split('-').reverse();
  const seconds = clock.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1000);
}
