import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureServer, fixtureWrapper } from '../../fixtures/fixture-server.ts';
import { serverOf, usePanels, type DrivenPanel, type StartedPanel } from '../../e2e/harness.ts';
import { running, stateIs } from '../../e2e/support/driving.ts';
import { descendantsOf } from '../../e2e/support/processes.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';
import { isAlive } from '../../support/proc.ts';

const panels = usePanels();

/** Time within which a killed panel's servers are gone, as promised to people. */
const GONE_WITHIN_MS = 10_000;
const THRESHOLD_MS = 2500;
/** Limit for starts, which no promise covers, because a busy machine takes its time. */
const START_LIMIT_MS = 45_000;
const LIMIT_MS = 120_000;

/** Flags of servers that only SIGKILL ends; no signal to a group reaches all of them. */
const stubborn = ['--ignore-eof', '--ignore-sigterm'];
const quickStop = { stopGraceMs: 200, killGraceMs: 200 };
const stubbornServers = {
  deaf: { ...fixtureServer(...stubborn), panel: quickStop },
  detached: {
    ...fixtureServer(...stubborn, '--detached-grandchild', '--grandchild-ignores-sigterm'),
    panel: quickStop,
  },
  wrapped: { ...fixtureWrapper('--shell', ...stubborn), panel: quickStop },
};
/** Number of processes: server; server and grandchild; wrapper, shell and server. */
const STUBBORN_PROCESSES = 6;

async function allRunning(panel: StartedPanel, servers: object): Promise<void> {
  for (const name of Object.keys(servers)) await stateIs(panel, name, 'running', START_LIMIT_MS);
}

const pidsOf = (panel: StartedPanel) => panel.serverProcesses().map(({ pid }) => pid);

/** Helper on the death pipe of a panel. */
const helperOf = ({ pid }: StartedPanel) =>
  descendantsOf(pid).find(({ command }) => command.includes('mcp-control-panel-death-pipe'))?.pid;

/** Home that outlives the panels of a test. */
function createHome(servers: object): string {
  const home = join(panels.tempFolder('ownership-'), 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: servers }));
  return home;
}

describe.runIf(process.platform === 'linux')('a panel that is killed with -9', { timeout: LIMIT_MS }, () => {
  it('leaves no process of its servers after ten seconds, and those of another panel alone', async () => {
    const other = panels.start({ servers: { calm: fixtureServer('--detached-grandchild') } });
    const panel = panels.start({ servers: stubbornServers });
    await Promise.all([allRunning(panel, stubbornServers), allRunning(other, { calm: true })]);
    const doomed = pidsOf(panel);
    const untouched = pidsOf(other);
    expect(doomed).toHaveLength(STUBBORN_PROCESSES);
    expect(untouched).toHaveLength(2);

    process.kill(panel.pid, 'SIGKILL');
    await waitUntil('its servers to be gone', () => !doomed.some(isAlive), GONE_WITHIN_MS);
    expect(pidsOf(panel)).toEqual([]);
    await waitUntil('the helper to end', () => helperOf(panel) === undefined);
    expect(untouched.filter(isAlive)).toEqual(untouched);
    expect(other.exitCode()).toBeUndefined();
  });

  it('and whose helper is dead too: its next start ends what was left, and names it', async () => {
    const home = createHome(stubbornServers);
    const killed = panels.start({ home });
    await allRunning(killed, stubbornServers);
    const orphans = pidsOf(killed);
    expect(orphans).toHaveLength(STUBBORN_PROCESSES);
    // The panel is stopped so that it cannot replace the helper that is killed.
    process.kill(killed.pid, 'SIGSTOP');
    process.kill(await waitUntil('the helper', () => helperOf(killed)), 'SIGKILL');
    process.kill(killed.pid, 'SIGKILL');
    await waitUntil('the panel to be gone', () => !isAlive(killed.pid));
    expect(orphans.filter(isAlive)).toEqual(orphans);

    const next = await panels.launch({ home });
    // New servers wait for the leftovers to end, in the list and ready for commands.
    const known = (await next.snapshot()).servers.map(({ name }) => name);
    expect(known).toEqual(Object.keys(stubbornServers));
    expect(await next.call('startServer', 'deaf')).toBeUndefined();
    await allRunning(next, stubbornServers);
    expect(orphans.filter(isAlive), next.stderr().join('\n')).toEqual([]);
    const kept = (await next.snapshot()).events;
    expect(
      kept.find(({ kind, detail }) => kind === 'panel-started' && detail['endedUncleanly']),
    ).toBeDefined();
    // The log goes on where that of the killed panel ended.
    const events = kept.slice(kept.findIndex((event) => event.kind === 'orphan-reaped'));
    const reaped = events.filter((event) => event.kind === 'orphan-reaped');
    expect(new Set(reaped.map((event) => event.server))).toEqual(new Set(Object.keys(stubbornServers)));
    expect(new Set(reaped.flatMap((event) => event.detail['pids']))).toEqual(new Set(orphans));
    expect(reaped.flatMap((event) => event.detail['leftPids'])).toEqual([]);
    for (const { detail } of reaped) expect(detail['commands']).not.toEqual([]);
    // Leftovers end before any server starts because they hold the ports and locks of the new ones.
    expect(events.slice(0, reaped.length)).toEqual(reaped);
    expect(next.stderr().join('\n')).toMatch(/detached: ended processes \d+/);
    await eventsLog(next).getByText('leftover process ended').first().waitFor();
  });
});

const eventsLog = ({ page }: DrivenPanel) => page.getByRole('log', { name: 'Events' });

const impatient = (onStall: 'restart' | 'notify') => ({
  ...fixtureServer(),
  panel: {
    health: { probeIntervalMs: 300, stallThresholdMs: THRESHOLD_MS, onStall },
    restart: { initialBackoffMs: 50 },
  },
});

describe.runIf(process.platform === 'linux')(
  'a server that is frozen by SIGSTOP',
  { timeout: LIMIT_MS },
  () => {
    it('is restarted, and the verdict is in the snapshot and in the window with what it rests on', async () => {
      const panel = await panels.launch({
        servers: { one: impatient('restart'), two: impatient('restart') },
      });
      await allRunning(panel, { one: true, two: true });
      const before = await serverOf(panel, 'one');
      process.kill(before.pid!, 'SIGSTOP');

      const stalled = await waitUntil('the verdict', () => event(panel, 'stalled'));
      expect(stalled).toMatchObject({
        server: 'one',
        detail: {
          // Rule 2 judges by the process table; rule 4 by the unanswered question, where a busy machine made
          // the panel forget what it saw.
          row: expect.toBeOneOf([2, 4]) as number,
          words: expect.stringMatching(/^(stopped by a signal|no answer) for \d+ s$/) as string,
          evidence: {
            thresholdMs: THRESHOLD_MS,
            probes: expect.arrayContaining([
              { kind: 'ping', unansweredMs: expect.any(Number) as number },
            ]) as unknown[],
          },
        },
      });
      await waitUntil('a new generation', async () => (await serverOf(panel, 'one')).generation === 2);
      await running(panel, 'one');
      expect(isAlive(before.pid!)).toBe(false);
      expect(panel.serverProcesses()).toHaveLength(2);
      await eventsLog(panel).getByText('not responding').first().waitFor();
      expect(panel.stdout().join('\n')).toMatch(/ one stalled (stopped by a signal|no answer)/);
      expect(await serverOf(panel, 'two')).toMatchObject({ generation: 1, state: { kind: 'running' } });
    });
  },
);

const event = async (panel: DrivenPanel, kind: string) =>
  (await panel.snapshot()).events.find((entry) => entry.kind === kind);
