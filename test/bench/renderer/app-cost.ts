import { setTimeout as sleep } from 'node:timers/promises';
import { usedCpu } from '../idle/processes.ts';
import type { Figure } from '../supervision/figures.ts';
import type { OpenWindow } from './open-window.ts';

/** Figures of the processor time that each process of the app takes while `act` runs. Linux only. */
export async function appCostFigures(
  what: string,
  { app }: OpenWindow,
  act: () => Promise<unknown>,
): Promise<readonly Figure[]> {
  const mainPid = app.process().pid!;
  const before = usedCpu(mainPid);
  await act();
  const after = usedCpu(mainPid);
  const percent = (ms: (cpu: typeof before) => number) =>
    ((ms(after) - ms(before)) / (after.atMs - before.atMs)) * 100;
  return [
    { what, unit: '% of a core, main process', measured: percent(({ mainMs }) => mainMs) },
    { what, unit: '% of a core, graphics', measured: percent(({ gpuMs }) => gpuMs) },
    { what, unit: '% of a core, the whole app', measured: percent(({ appMs }) => appMs) },
  ];
}

/** What goes to the page in a span of time, as JSON; counting costs time, so nothing else is measured meanwhile. */
export async function sentFigures(
  what: string,
  { app }: OpenWindow,
  spanMs: number,
): Promise<readonly Figure[]> {
  await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]!.webContents;
    const counter = globalThis as { benchSent?: { bytes: number; messages: number; undo: () => void } };
    const send = contents.send.bind(contents);
    counter.benchSent = { bytes: 0, messages: 0, undo: () => (contents.send = send) };
    contents.send = (channel: string, ...args: unknown[]) => {
      counter.benchSent!.bytes += JSON.stringify(args).length;
      counter.benchSent!.messages += 1;
      send(channel, ...args);
    };
  });
  await sleep(spanMs);
  const { bytes, messages } = await app.evaluate(() => {
    const { benchSent } = globalThis as { benchSent?: { bytes: number; messages: number; undo: () => void } };
    benchSent!.undo();
    return { bytes: benchSent!.bytes, messages: benchSent!.messages };
  });
  const perSecond = (count: number) => (count / spanMs) * 1000;
  return [
    { what, unit: 'KiB/s over IPC', measured: perSecond(bytes) / 1024 },
    { what, unit: 'messages/s over IPC', measured: perSecond(messages) },
  ];
}
