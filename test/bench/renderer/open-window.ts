import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withApp, type LaunchedApp } from '../harness/app.ts';
import type { Servers } from '../../support/homes.ts';

/** Counters of the page since its start: seconds of its thread and of its process, and live objects. */
interface PageMetrics {
  readonly taskSeconds: number;
  readonly scriptSeconds: number;
  /** Processor time of the whole process of the page. */
  readonly processSeconds: number;
  readonly nodes: number;
  readonly heapBytes: number;
}

/** Running panel with its window. */
export interface OpenWindow extends LaunchedApp {
  metrics(): Promise<PageMetrics>;
  /** Frees what nobody holds, so that the heap can be compared. */
  collectGarbage(): Promise<void>;
}

/** Time in which a view has drawn itself. */
export const SETTLE_MS = 3000;

/** Shows a view and waits until it has drawn itself. */
export async function show({ page }: LaunchedApp, hash: string, heading: string): Promise<void> {
  await page.evaluate(`location.hash = '${hash}'`);
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  await sleep(SETTLE_MS);
}

/**
 * The window of the built panel in a fresh home with these servers, for as long as `use` takes.
 * @param journal lines of the journal of earlier launches, oldest first
 */
export function withWindow<T>(
  servers: Servers,
  use: (window: OpenWindow) => Promise<T>,
  journal: readonly string[] = [],
): Promise<T> {
  const prepare = (home: string) => {
    if (journal.length === 0) return;
    mkdirSync(join(home, 'logs'), { recursive: true });
    writeFileSync(join(home, 'logs', 'events.jsonl'), `${journal.join('\n')}\n`);
  };
  const measured = async (launched: LaunchedApp) => {
    const session = await launched.page.context().newCDPSession(launched.page);
    await session.send('Performance.enable');
    const metrics = async () => {
      const { metrics: found } = await session.send('Performance.getMetrics');
      const of = (name: string) => found.find((metric) => metric.name === name)?.value ?? NaN;
      return {
        taskSeconds: of('TaskDuration'),
        scriptSeconds: of('ScriptDuration'),
        processSeconds: of('ProcessTime'),
        nodes: of('Nodes'),
        heapBytes: of('JSHeapUsedSize'),
      };
    };
    const collectGarbage = async () => void (await session.send('HeapProfiler.collectGarbage'));
    return use({ ...launched, metrics, collectGarbage });
  };
  const args = ['--js-flags=--expose-gc'];
  return withApp(servers, measured, { settings: { gateway: { port: 0 } }, prepare, args });
}
