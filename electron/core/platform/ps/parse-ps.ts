import { basename } from 'node:path';
import type { ProcessReading } from '../process-table.ts';

/** What `parsePs` reads, for `ps -o`. The start time is the only field with spaces before the name, which is last. */
export const PS_FORMAT = 'pid=,ppid=,pgid=,stat=,lstart=,rss=,time=,comm=';

const LINE =
  /^(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(\d+)\s+([\d:.-]+)\s+(\S.*)$/;

/**
 * Reads a listing of ps(1) as macOS and Linux print it in the C locale. Zombies and lines of another form are left
 * out. The start time is exact to the second: with the pid, that is enough to tell a process from its successor.
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

/** `[days-][hours:]minutes:seconds[.hundredths]` in milliseconds. */
export function parseCpuTime(text: string): number {
  const [clock = '', days = '0'] = text.split('-').reverse();
  const seconds = clock.split(':').reduce((total, part) => total * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1000);
}
