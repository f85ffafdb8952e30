import { describe, expect, it } from 'vitest';
import type { Push } from '../../../shared/domain.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import type { TestPanel } from './open-test-panel.ts';
import { panelOfTest } from './panel-of-test.ts';

const until = (describe: string, check: () => boolean) => waitUntil(check, { deadlineMs: 30_000, describe });
const untilRun = ({ panel }: TestPanel, generation: number) =>
  until(`run ${generation}`, () => {
    const [server] = panel.getSnapshot().servers;
    return server?.state.kind === 'running' && server.generation === generation;
  });

describe('a server whose process is killed three times', () => {
  it('runs and is unstable, in the snapshot and in what is pushed', async () => {
    const restart = { initialBackoffMs: 10, maxBackoffMs: 10, maxRestartAttempts: 20 };
    const opened = await panelOfTest({ one: { ...fixtureServer(), panel: { restart } } });
    const pushes: Push[] = [];
    opened.panel.onPush((push) => pushes.push(push));
    opened.panel.start();
    for (let generation = 1; generation <= 3; generation += 1) {
      await untilRun(opened, generation);
      expect(opened.panel.getSnapshot().servers[0]?.unstable).toBeUndefined();
      process.kill(opened.panel.getSnapshot().servers[0]!.pid!, 'SIGKILL');
    }
    await untilRun(opened, 4);
    const [server] = opened.panel.getSnapshot().servers;
    expect(server?.state.kind).toBe('running');
    expect(server?.unstable).toMatchObject({ ends24h: 3, ends7d: 3 });
    expect(pushes.flatMap(({ servers = [] }) => servers).some(({ unstable }) => unstable !== undefined)).toBe(
      true,
    );
  });
});
