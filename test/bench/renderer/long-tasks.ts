import { readFileSync, rmSync } from 'node:fs';
import type { LaunchedApp } from '../harness/app.ts';
import { figure, type Figure } from '../harness/figures.ts';

/** Length from which a user notices a task. */
const LONG_MS = 100;
/** Processor time below which a long task only waited for a processor: it is the machine's, not the page's. */
const OWN_MS = 50;

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

/**
 * Figures of the tasks of the page's thread that take long by the clock while `act` runs: those in which the thread itself is
 * at work, and those that wait for a processor for the most part.
 */
export async function longTaskFigures(
  what: string,
  { app, page }: LaunchedApp,
  act: () => Promise<unknown>,
  budget?: number,
): Promise<readonly Figure[]> {
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
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args?.name === 'CrRendererMain';
  const thread = ofPage.find(isMain)?.tid;
  const tasks = ofPage.filter(
    ({ ph, tid, name }) => ph === 'X' && tid === thread && name.includes('RunTask'),
  );
  if (tasks.length === 0) throw new Error('The trace holds no task of the page.');
  const long = tasks.filter(({ dur = 0 }) => dur >= LONG_MS * 1000);
  const own = long.filter(({ tdur = 0 }) => tdur >= OWN_MS * 1000);
  const longestMs = Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
  return [
    figure(what, `tasks over ${LONG_MS} ms`, own.length, budget),
    figure(what, `tasks over ${LONG_MS} ms of the machine`, long.length - own.length),
    figure(what, 'ms of thread, longest task', longestMs),
  ];
}
