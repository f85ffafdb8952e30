import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../e2e/support/wait-until.ts';
import { isAlive } from '../../support/proc.ts';
import { withApp, type BenchApp } from '../harness/app.ts';
import { flag } from '../harness/figures.ts';
import { inFolder, writeHome, type Servers } from '../../support/homes.ts';
import { drive, type Driven, type DriveOptions } from './drive.ts';

const OBSERVER = join(import.meta.dirname, 'observe-loop.cjs');
const INPUT_PERIOD_MS = 50;
/** Source of the calls as the page makes them, which takes what may be large as texts. */
const AS_THE_PAGE = `{
  ...controlPanel,
  callServer: controlPanel.callServerAsText,
  getOffer: controlPanel.getOfferTexts,
  getLogPage: controlPanel.getLogPageAsText,
}`;
const QUIT_LIMIT_MS = 30_000;

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
}

export interface HostRequest {
  readonly what: 'drive' | 'lateness' | 'quit';
  readonly options?: DriveOptions;
}

type Prepare = ((home: string) => void) | undefined;

/** The core on plain Node, for as long as `use` takes. `--profile=DIR` leaves a CPU profile of its whole life. */
export const withCore = <T>(
  servers: Servers,
  prepare: Prepare,
  use: (host: Host) => Promise<T>,
): Promise<T> =>
  inFolder(async (home) => {
    writeHome(home, servers);
    prepare?.(home);
    const profiles = flag('profile');
    const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
    const child = fork(join(import.meta.dirname, 'core-host.ts'), [home], {
      execArgv: ['--no-parallel-scavenge', '-r', OBSERVER, ...profiling],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    try {
      return await use(await hostIn(child));
    } finally {
      child.kill('SIGKILL');
    }
  });

async function hostIn(child: ChildProcess): Promise<Host> {
  const exited = once(child, 'exit');
  const ended = exited.then(([code, signal]) => {
    throw new Error(`the core has ended: ${code ?? signal}`);
  });
  ended.catch(() => undefined);
  const answer = async () => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ readonly value: unknown }];
    return message.value;
  };
  const ask = (request: HostRequest) => {
    child.send(request);
    return answer();
  };
  await answer();
  return {
    mainPid: child.pid!,
    drive: async (options) => (await ask({ what: 'drive', options })) as Driven,
    takeLateness: async () => (await ask({ what: 'lateness' })) as Lateness,
    inputDelays: async (during) => {
      await during;
      return [];
    },
    quit: async () => {
      const beganMs = performance.now();
      await ask({ what: 'quit' });
      await exited;
      return performance.now() - beganMs;
    },
  };
}

/** The real app with its window, for as long as `use` takes. */
export function withWindow<T>(
  servers: Servers,
  prepare: Prepare,
  use: (host: Host) => Promise<T>,
): Promise<T> {
  const extras = { ...(prepare && { prepare }), args: ['-r', OBSERVER], hasTray: true };
  return withApp(servers, (panel) => use(hostOf(panel)), extras);
}

function hostOf({ app, page, mainPid }: BenchApp): Host {
  return {
    mainPid,
    // The page gets the source of the function because it has no imports.
    drive: (options) =>
      page.evaluate<Driven>(`(${drive.toString()})(${AS_THE_PAGE}, ${JSON.stringify(options)})`),
    takeLateness: () =>
      app.evaluate(() => (globalThis as unknown as { takeLateness(): Lateness }).takeLateness()),
    inputDelays: async (during) => {
      const delays: number[] = [];
      const state = { isOver: false };
      const over = during.finally(() => (state.isOver = true));
      // The time counts from the driver's order over the main process to the page and back, because that is
      // what a person waits for.
      for (let index = 0; !state.isOver; index += 1) {
        const beganMs = performance.now();
        await page.mouse.move(300 + (index % 2), 300);
        delays.push(performance.now() - beganMs);
        await delay(INPUT_PERIOD_MS);
      }
      await over;
      return delays;
    },
    quit: async () => {
      const beganMs = performance.now();
      process.kill(mainPid, 'SIGTERM');
      await waitUntil('the app to end', () => !isAlive(mainPid), QUIT_LIMIT_MS);
      return performance.now() - beganMs;
    },
  };
}
