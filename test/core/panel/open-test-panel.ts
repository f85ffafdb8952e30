import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StartArchiveWorker } from '../../../electron/core/logs/archive-thread.ts';
import { createPanel, type ControlPanel } from '../../../electron/core/panel/control-panel.ts';
import type { ControlPanelOptions } from '../../../electron/core/panel/panel-options.ts';
import { runCommand } from '../../../electron/core/platform/run-command.ts';
import { signallerForPlatform } from '../../../electron/core/platform/signals.ts';
import { spawnChild } from '../../../electron/core/platform/spawner.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { processSystemHere } from '../../support/process-system.ts';

export interface TestPanel {
  readonly panel: ControlPanel;
  readonly home: string;
  /** Stops every server and removes the home folder. */
  dispose(): Promise<void>;
}

/**
 * Opens the whole core on this machine's processes, in a home folder of its own; `changes` replaces what is
 * handed in, `fill` adds to the folder before.
 */
export async function openTestPanel(
  servers: Readonly<Record<string, object>>,
  changes: Partial<ControlPanelOptions> = {},
  fill: (home: string) => void = () => undefined,
): Promise<TestPanel> {
  const home = mkdtempSync(join(tmpdir(), 'test-panel-'));
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: servers }));
  // Panels of tests run side by side, and only one of them could have the port of a person's panel.
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { port: 0 } }));
  fill(home);
  const panel = await createPanel({ ...panelOptions(home), ...changes });
  const dispose = async () => {
    await panel.dispose();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return { panel, home, dispose };
}

/** Options that the core is given on this machine. */
export function panelOptions(home: string): ControlPanelOptions {
  const { table, holding } = processSystemHere();
  return {
    home,
    appVersion: '0.0.0',
    electronVersion: '0.0.0',
    asksQuestions: false,
    consent: 'agree',
    clock: systemClock,
    wallClock: systemClock,
    random: Math.random,
    createToken: () => randomBytes(16).toString('hex'),
    randomBytes,
    table,
    signaller: signallerForPlatform(process.platform),
    spawner: holding(spawnChild),
    run: runCommand,
    parentEnvironment: process.env,
    userHome: homedir(),
    loginPath: undefined,
    startConcurrency: 4,
    bootId: undefined,
    ownPid: process.pid,
    spawnDeathPipeWatcher: undefined,
    startLogsWorker,
    startMessageWorker,
    importEnvironment: { home: '/nowhere', platform: process.platform },
  };
}

/** The thread that reads logs, on the file as it was written. */
export const startLogsWorker: StartArchiveWorker = (workerData) => {
  const file = new URL('../../../electron/core/logs/logs-worker.ts', import.meta.url);
  const worker = new Worker(file, { workerData });
  worker.unref();
  return worker;
};

/** The thread that parses long messages, on the file as it was written. */
function startMessageWorker(): Worker {
  const file = new URL('../../../electron/core/mcp/worker/message-worker.ts', import.meta.url);
  const worker = new Worker(file);
  worker.unref();
  return worker;
}
