import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Driven, DriveOptions } from './drive.ts';

/** Lateness of the main loop since the last question, in milliseconds. */
export interface Lateness {
  readonly p50: number;
  readonly p999: number;
  readonly max: number;
  /**
   * CPU time of the main thread per turn: the lateness without the time in which other programs keep it
   * waiting.
   */
  readonly cpuP999?: number;
  readonly cpuMax?: number;
}

/** Running panel, in whatever process it is. */
export interface Host {
  readonly mainPid: number;
  drive(options: DriveOptions): Promise<Driven>;
  takeLateness(): Promise<Lateness>;
  /**
   * Time that the page took for each input while `during` went on, in milliseconds; empty where there is no
   * page.
   */
  inputDelays(during: Promise<unknown>): Promise<readonly number[]>;
  /** Ends the panel in order; resolves with the time that took, in milliseconds. */
  quit(): Promise<number>;
  /** Ends the panel at once, if it still runs. */
  kill(): Promise<void>;
}

export interface HostRequest {
  readonly id: number;
  readonly what: 'drive' | 'lateness' | 'quit';
  readonly options?: DriveOptions;
}

interface HostAnswer {
  readonly id: number;
  readonly value: unknown;
}

/** @param profiles folder for a CPU profile of its whole life, if one is wanted */
export async function openCore(home: string, profiles: string | undefined): Promise<Host> {
  const observer = join(import.meta.dirname, 'observe-loop.cjs');
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const child = fork(join(import.meta.dirname, 'core-host.ts'), [home], {
    execArgv: ['-r', observer, ...profiling],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const asks = askerOf(child);
  await asks.ready;
  return {
    mainPid: child.pid!,
    drive: async (options) => (await asks.ask('drive', options)) as Driven,
    takeLateness: async () => (await asks.ask('lateness')) as Lateness,
    inputDelays: async (during) => {
      await during;
      return [];
    },
    quit: async () => {
      const beganMs = performance.now();
      await asks.ask('quit');
      await exited;
      return performance.now() - beganMs;
    },
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}

function askerOf(child: ChildProcess) {
  const waiting = new Map<number, (value: unknown) => void>();
  let count = 0;
  const wait = (id: number) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.set(id, resolve);
      child.once('exit', (code, signal) => reject(new Error(`the core has ended: ${code ?? signal}`)));
    });
  child.setMaxListeners(0).on('message', ({ id, value }: HostAnswer) => waiting.get(id)?.(value));
  const ask = (what: HostRequest['what'], options?: DriveOptions) => {
    count += 1;
    child.send({ id: count, what, ...(options && { options }) } satisfies HostRequest);
    return wait(count);
  };
  return { ready: wait(0), ask };
}
