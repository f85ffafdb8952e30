import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { appEnvironment } from '../../e2e/support/app-environment.ts';
import { electronCommand } from '../../e2e/support/electron-command.ts';

/** Counters of the page since its start: seconds of its thread and of its process, and live objects. */
export interface PageMetrics {
  readonly taskSeconds: number;
  readonly scriptSeconds: number;
  /** Processor time of the whole process of the page. */
  readonly processSeconds: number;
  readonly nodes: number;
  readonly heapBytes: number;
}

/** Running panel with its window. */
export interface OpenWindow {
  readonly app: ElectronApplication;
  readonly page: Page;
  metrics(): Promise<PageMetrics>;
  /** Frees what nobody holds, so that the heap can be compared. */
  collectGarbage(): Promise<void>;
  close(): Promise<void>;
}

/** What a window is opened on. */
export interface OpenOptions {
  /** Lines of the journal of earlier launches, oldest first. */
  readonly journal?: readonly string[];
}

/** Opens a window with these servers; the caller closes it. */
export type Open = (servers: Readonly<Record<string, unknown>>, options?: OpenOptions) => Promise<OpenWindow>;

/** How a part measures. */
export interface BenchOptions {
  /** Time that a window runs before it is measured, so that its curves have that much to show. */
  readonly minutes: number;
}

/** Opens the built panel in a fresh home with these servers. */
export async function openWindow(
  servers: Readonly<Record<string, unknown>>,
  { journal }: OpenOptions,
  displayEnv: Readonly<Record<string, string>>,
): Promise<OpenWindow> {
  const home = mkdtempSync(join(tmpdir(), 'renderer-bench-'));
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: servers }));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { port: 0 } }));
  if (journal !== undefined) {
    mkdirSync(join(home, 'logs'), { recursive: true });
    writeFileSync(join(home, 'logs', 'events.jsonl'), `${journal.join('\n')}\n`);
  }
  const { executablePath, args } = await electronCommand();
  const env = appEnvironment(home, displayEnv);
  const app = await _electron.launch({ executablePath, args: [...args], env, chromiumSandbox: true });
  const page = await app.firstWindow();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return {
    app,
    page,
    metrics: async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? NaN;
      return {
        taskSeconds: of('TaskDuration'),
        scriptSeconds: of('ScriptDuration'),
        processSeconds: of('ProcessTime'),
        nodes: of('Nodes'),
        heapBytes: of('JSHeapUsedSize'),
      };
    },
    collectGarbage: async () => void (await session.send('HeapProfiler.collectGarbage')),
    close: async () => {
      await app.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
