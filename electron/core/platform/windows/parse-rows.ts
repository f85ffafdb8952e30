import { z } from 'zod';
import type { ProcessReading } from '../process-table.ts';

const replySchema = z.union([
  z.object({ id: z.string(), rows: z.array(z.string()) }),
  z.object({ id: z.string(), error: z.string() }),
]);

/** UserModeTime and KernelModeTime count in 100 ns. */
const TIME_UNITS_PER_MS = 10_000;

/**
 * Parses one reply of the helper. Skips malformed rows, the idle process and rows without a start time.
 * @throws the error reported by the helper, or an error for a line that is no reply to question `id`.
 */
export function parseReply(line: string, id: string): readonly ProcessReading[] {
  const reply = replySchema.parse(JSON.parse(line));
  if (reply.id !== id) throw new Error(`the process lister answered question ${reply.id}, expected ${id}`);
  if ('error' in reply) throw new Error(`the process lister failed: ${reply.error}`);
  return reply.rows.flatMap(parseRow);
}

/** Checks that the parent started first, because Windows reuses the pid of an ended parent for younger processes. */
export function canBeChild(parent: ProcessReading, child: ProcessReading): boolean {
  return BigInt(parent.startTime) <= BigInt(child.startTime);
}

function parseRow(row: string): readonly ProcessReading[] {
  const [pid, ppid, startTime = '', workingSet, privatePages, handles, user, kernel, written, ...name] =
    row.split('\t');
  const numbers = [pid, ppid, workingSet, privatePages, handles, user, kernel, written].map(toNumber);
  if (!/^\d+$/.test(startTime) || numbers.some(Number.isNaN) || numbers[0] === 0) return [];
  const [
    pidNumber = 0,
    ppidNumber = 0,
    rssBytes = 0,
    privateBytes = 0,
    openFiles = 0,
    userTime = 0,
    kernelTime = 0,
    writtenBytes = 0,
  ] = numbers;
  return [
    {
      pid: pidNumber,
      ppid: ppidNumber,
      startTime,
      command: name.join('\t'),
      isStopped: false,
      isHeld: false,
      cpuTimeMs: (userTime + kernelTime) / TIME_UNITS_PER_MS,
      reapedCpuTimeMs: 0,
      rssBytes,
      privateBytes,
      openFiles,
      writtenBytes,
    },
  ];
}

function toNumber(text: string | undefined): number {
  return text === undefined || text === '' ? Number.NaN : Number(text);
}
