import { readFileSync, rmSync } from 'node:fs';
import type { LaunchedApp } from '../harness/app.ts';
import { figure, type Figure } from '../harness/figures.ts';

/** Length from which a user notices a task. */
const LONG_MS = 100;
/** Processor time below which a long task only waited for a processor: it is the machine's, not the page's. */
const OWN_MS = 50;

/** Tasks of the page's thread that took long by the clock. */
interface LongTasks {
  /** Tasks in which the thread itself was at work. */
  readonly own: number;
  /** Tasks that waited for a processor for the most part. */
  readonly ofMachine: number;
  /** Processor time of the greatest task, in milliseconds. */
  readonly longestMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Length by the clock and by the thread's own time, in microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Traces the page while `act` runs. */
export async function longTasksDuring(
  { app, page }: LaunchedApp,
  act: () => Promise<unknown>,
): Promise<LongTasks> {
  const pid = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.getOSProcessId(),
  );
  await app.evaluate(({ contentTracing }) =>
    contentTracing.startRecording({ included_categories: ['toplevel', '__metadata'] }),
  );
  await act();
  await page.evaluate('0');
  const path = await app.evaluate(({ contentTracing }) => contentTracing.stopRecording());
  const { traceEvents } = JSON.parse(readFileSync(path, 'utf8')) as { traceEvents: readonly TraceEvent[] };
  rmSync(path, { force: true });
  const ofPage = traceEvents.filter((event) => event.pid === pid);
  const thread = ofPage.find(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  )?.tid;
  const tasks = ofPage.filter(
    ({ ph, tid, name }) => ph === 'X' && tid === thread && name.includes('RunTask'),
  );
  if (tasks.length === 0) throw new Error('The trace holds no task of the page.');
  const long = tasks.filter(({ dur = 0 }) => dur >= LONG_MS * 1000);
  const own = long.filter(({ tdur = 0 }) => tdur >= OWN_MS * 1000);
  return {
    own: own.length,
    ofMachine: long.length - own.length,
    longestMs: Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
  };
}

/** Figures of long tasks under a name. */
export const longTaskFigures = (what: string, tasks: LongTasks, budget?: number): readonly Figure[] => [
  figure(what, `tasks over ${LONG_MS} ms`, tasks.own, budget),
  figure(what, `tasks over ${LONG_MS} ms of the machine`, tasks.ofMachine),
  figure(what, 'ms of thread, longest task', tasks.longestMs),
];
