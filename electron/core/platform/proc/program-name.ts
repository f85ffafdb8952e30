import { basename } from 'node:path';
import type { KnownProcess } from './known-processes.ts';
import type { ProcStat } from './parse-stat.ts';
import type { ProcFiles } from './proc-files.ts';

/** Node.js (since 23) names its first thread so, and with it each of its processes, which tells nobody anything. */
const NODE_MAIN_THREAD = 'MainThread';

/** Short name of a program. That of a Node.js process is read from its file, once: the link costs as much as a file of figures. */
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
