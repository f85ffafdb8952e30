import { basename } from 'node:path';
import type { ProcStat } from './parse-stat.ts';
import type { ProcFiles } from './proc-files.ts';

/** Node.js (since 23) names its first thread so, and with it each of its processes, which tells nobody anything. */
const NODE_MAIN_THREAD = 'MainThread';

/** Short names of programs. That of a Node.js process is read from its file, once: the link costs as much as a file of figures. */
export class ProgramNames {
  readonly #files: ProcFiles;
  /** Names by pid and start time. `#known` and `#seen` together hold what the last two passes saw. */
  #known = new Map<string, string>();
  #seen = new Map<string, string>();

  constructor(files: ProcFiles) {
    this.#files = files;
  }

  /** A pass over all processes begins: what the last one did not see is forgotten. */
  beginPass(): void {
    this.#known = this.#seen;
    this.#seen = new Map();
  }

  nameOf(pid: number, { command, startTime }: ProcStat): string {
    if (command !== NODE_MAIN_THREAD) return command;
    const key = `${pid} ${startTime}`;
    const name = this.#known.get(key) ?? this.#seen.get(key) ?? this.#read(pid);
    if (name === undefined) return command;
    this.#seen.set(key, name);
    return name;
  }

  #read(pid: number): string | undefined {
    const program = this.#files.link(`${pid}/exe`);
    return program && basename(program.replace(/ \(deleted\)$/, ''));
  }
}
