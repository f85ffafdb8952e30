import { rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { createPanel, type ControlPanel } from '../../../electron/core/panel/control-panel.ts';
import type { LogLine } from '../../../shared/log-lines.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { openTestPanel, panelOptions } from './open-test-panel.ts';

const LIMIT = { deadlineMs: 15_000, describe: 'the lines are there' };

let home: string | undefined;
let panel: ControlPanel | undefined;
afterEach(async () => {
  await panel?.dispose();
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
});

const page = async (open: ControlPanel, limit = 2000): Promise<readonly LogLine[]> =>
  (await open.logs.page({ filter: {}, limit })).lines;

describe('the logs of a panel', () => {
  it('hold what a server says in each way, in this launch and in the next one', async () => {
    const server = fixtureServer(
      '--stdout-garbage',
      '--stderr-text=up and running',
      '--notification-flood-per-s=50',
    );
    const opened = await openTestPanel({ loud: server });
    ({ home, panel } = opened);
    panel.start();
    let lines: readonly LogLine[] = [];
    const sources = () => new Set(lines.map(({ source }) => source));
    await waitUntil(async () => {
      lines = await page(opened.panel);
      return sources().has('mcp') && sources().has('protocol') && sources().has('traffic');
    }, LIMIT);
    expect(lines.find(({ source }) => source === 'mcp')).toMatchObject({ server: 'loud', generation: 1 });
    expect(lines.find(({ source }) => source === 'mcp')?.level).toBeDefined();
    expect(lines.find(({ source }) => source === 'protocol')?.text).toMatch(/^\((no |an answer)/);
    expect(lines.map(({ at }) => at)).toEqual(lines.map(({ at }) => at).sort((one, other) => one - other));
    expect(lines.find(({ source }) => source === 'stderr')?.text).toBe('up and running');
    await panel.dispose();
    panel = await createPanel(panelOptions(opened.home));
    const kept = await page(panel);
    const written = lines.filter(({ source }) => source !== 'traffic');
    expect(kept.slice(0, written.length).map(({ key, text }) => [key, text])).toEqual(
      written.map(({ key, text }) => [key, text]),
    );
    panel.start();
    const earlier = await panel.output.earlier('loud');
    expect(earlier.find(({ text }) => text === 'up and running')).toMatchObject({ generation: 1 });
    expect(earlier.map(({ id }) => id)).toEqual(earlier.map((_, index) => index + 1 - earlier.length));
  });
});
