import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEnvironment } from '../../e2e/support/app-environment.ts';
import { electronCommand } from '../../e2e/support/electron-command.ts';

const PREFIX = 'window-bench ';
const LAUNCH_LIMIT_MS = 60_000;
/** Time for what an app keeps for its next launch once its window is shown, such as compiled code. */
const LINGER_MS = 700;

/** Launched app, and what its page shows when it is usable. */
export interface Launched {
  /** Script to launch in place of the built app. */
  readonly main?: string;
  /** Folder of the profile, and of the panel's files. */
  readonly home: string;
  readonly selector: string;
  readonly count: number;
}

/** Steps to a usable window, all in milliseconds from the moment before the process was spawned. */
export interface Launch {
  /** Time of the first script of the main process. */
  readonly observer: number;
  readonly mainEvaluated: number;
  readonly ready: number;
  readonly windowCreated: number;
  /** Time at which the page's clock began, which is when its navigation did. */
  readonly pageStarted: number;
  readonly preload: number;
  readonly domInteractive: number;
  readonly domReady: number;
  /** Time at which the awaited elements are in the document. */
  readonly rendered: number;
  readonly painted: number;
  readonly shown: number;
  /** Later time of painted and shown. */
  readonly usable: number;
}

/** Launches, waits for the window to be usable, and ends the app in order. */
export async function launch(
  { main, home, selector, count }: Launched,
  displayEnv: Readonly<Record<string, string>>,
): Promise<Launch> {
  const { executablePath, args } = await electronCommand();
  const [app, ...switches] = args;
  const env = appEnvironment(home, displayEnv, {
    WINDOW_BENCH_HOME: home,
    WINDOW_BENCH_SELECTOR: selector,
    WINDOW_BENCH_COUNT: String(count),
  });
  const observer = join(import.meta.dirname, 'observe-main.cjs');
  const spawnedMs = epochMs();
  const child = spawn(executablePath, ['-r', observer, main ?? app!, ...switches], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  try {
    const launched = sinceSpawn(await firstReport(child), spawnedMs);
    await sleep(LINGER_MS);
    return launched;
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

const epochMs = () => performance.timeOrigin + performance.now();

async function firstReport(child: ChildProcess): Promise<Record<string, number>> {
  const timer = setTimeout(() => child.kill('SIGKILL'), LAUNCH_LIMIT_MS);
  try {
    for await (const line of createInterface({ input: child.stdout! })) {
      if (line.startsWith(PREFIX)) return JSON.parse(line.slice(PREFIX.length)) as Record<string, number>;
    }
    throw new Error(`no usable window within ${LAUNCH_LIMIT_MS} ms, or before the app ended`);
  } finally {
    clearTimeout(timer);
    // Later output is read by nobody, so it is drained to keep the pipe from filling.
    child.stdout?.resume();
  }
}

function sinceSpawn(report: Record<string, number>, spawnedMs: number): Launch {
  const since = Object.fromEntries(Object.entries(report).map(([name, atMs]) => [name, atMs - spawnedMs]));
  return { ...since, usable: Math.max(since['painted']!, since['shown']!) } as unknown as Launch;
}
