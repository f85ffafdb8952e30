import { basename } from 'node:path';
import type { KnownProcess } from './known-processes.ts';
import type { ProcStat } from './parse-stat.ts';
import type { ProcFiles } from './proc-files.ts';

/** Name of the first thread in Node.js since 23, which is the same for all its processes. */
const NODE_MAIN_THREAD = 'MainThread';

/** Returns the short name of a program. That of a Node.js process is read from its `exe` link, once, because that is slow. */
export function nameOfProgram(
  files: ProcFiles,
  pid: number,
  { command }: ProcStat,
  known: KnownProcess,
): string {
  if (command !== NODE_MAIN_THREAD) return command;
  const name = known.programName ?? readName(files, pid);
  if (name === undefined) return command;
  known.programName = name;
  return name;
}

function readName(files: ProcFiles, pid: number): string | undefined {
  const program = files.link(`${pid}/exe`);
  return program && basename(program.replace(/ \(deleted\)$/, ''));
}
