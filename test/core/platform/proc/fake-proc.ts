import type { ProcFiles } from '../../../../electron/core/platform/proc/proc-files.ts';

export interface FakeProcess {
  readonly ppid: number;
  readonly state?: string;
  readonly threads?: readonly number[];
  readonly environment?: string;
  /** Soft RLIMIT_RTTIME of the process. */
  readonly realtimeLimit?: string;
  /** Command in its stat line. */
  readonly command?: string;
  /** Path of its program. */
  readonly program?: string;
  readonly uid?: number;
  readonly openFiles?: number;
  /** Processor time in user mode, in ticks of 10 ms; 10 without it. */
  readonly ticks?: number;
  /** Time of its start, in ticks since boot; ten times its pid without it. */
  readonly startTicks?: number;
  /** Resident memory, all of it the process's own but 4 KiB; 12 without it. */
  readonly rssKiB?: number;
  readonly contextSwitches?: number;
  readonly writtenBytes?: number;
  /** Number of placeholders, the last of its open files. */
  readonly placeholders?: number;
}

/** Fake /proc that stands still. With `hasChildren: false`, one of a kernel without CONFIG_PROC_CHILDREN. */
export class FakeProc implements ProcFiles {
  readonly processes = new Map<number, FakeProcess>();
  /** Paths that were looked at. */
  readonly looks: string[] = [];
  hasChildren = true;
  fdSizes = true;

  read(path: string): string | undefined {
    this.looks.push(path);
    if (path === 'thread-self/children') return this.hasChildren ? '' : undefined;
    const [pid = '', file, thread] = path.split('/');
    const found = this.processes.get(Number(pid));
    if (found === undefined) return undefined;
    if (file === 'stat') return this.#stat(Number(pid), found);
    if (file === 'status') {
      const { rssKiB = 12, contextSwitches = 0, uid = 1000 } = found;
      return `Name:\tx\nUid:\t${uid}\t${uid}\nTracerPid:\t0\nVmRSS:\t${rssKiB} kB\nRssAnon:\t${rssKiB - 4} kB\nRssFile:\t3 kB\nRssShmem:\t1 kB\nvoluntary_ctxt_switches:\t${contextSwitches - 1}\nnonvoluntary_ctxt_switches:\t1\n`;
    }
    if (file === 'io')
      return found.writtenBytes === undefined ? undefined : `rchar: 1\nwchar: ${found.writtenBytes}\n`;
    if (file === 'limits')
      return `Limit                     Soft Limit           Hard Limit           Units     \nMax realtime timeout      ${(found.realtimeLimit ?? 'unlimited').padEnd(20)} unlimited            us        \n`;
    return file === 'task' ? this.#children(Number(pid), Number(thread)) : undefined;
  }

  list(path: string): readonly string[] | undefined {
    if (path === '') return ['self', 'uptime', ...[...this.processes.keys()].map(String)];
    const [pid, folder] = path.split('/');
    const found = this.processes.get(Number(pid));
    if (folder === 'fd')
      return found && Array.from({ length: found.openFiles ?? 3 }, (_, index) => String(index));
    return found && (found.threads ?? [Number(pid)]).map(String);
  }

  link(path: string): string | undefined {
    const [pid, folder, number] = path.split('/');
    const found = this.processes.get(Number(pid));
    if (folder === 'exe') return found?.program;
    if (found === undefined || folder !== 'fd') return undefined;
    const first = (found.openFiles ?? 3) - (found.placeholders ?? 0);
    return Number(number) >= first ? '/dev/null' : `socket:[${number}]`;
  }

  stat(path: string) {
    this.looks.push(path);
    const [pid, folder] = path.split('/');
    const found = this.processes.get(Number(pid));
    if (found === undefined) return undefined;
    return { uid: found.uid ?? 1000, size: folder === 'fd' && this.fdSizes ? (found.openFiles ?? 3) : 0 };
  }

  #stat(
    pid: number,
    {
      ppid,
      state = 'S',
      threads = [pid],
      command = `p${pid}`,
      ticks = 10,
      startTicks = pid * 10,
    }: FakeProcess,
  ): string {
    return `${pid} (${command}) ${state} ${ppid} 7 7 0 -1 0 0 0 0 0 ${ticks} 5 2 1 20 0 ${threads.length} 0 ${startTicks} 0 0\n`;
  }

  /** Children of a thread: the first has forked every other child, the last the rest. */
  #children(pid: number, thread: number): string | undefined {
    if (!this.hasChildren) return undefined;
    const threads = this.processes.get(pid)?.threads ?? [pid];
    const children = [...this.processes].filter(([, { ppid }]) => ppid === pid).map(([child]) => child);
    const mine = children.filter((_, index) => threads[index % threads.length] === thread);
    return mine.map((child) => `${child} `).join('');
  }
}
