import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../shared/error-codes.ts';
import { commandMany } from '../../../electron/core/panel/topics/servers.ts';
import { fixtureServer, tinyServer } from '../../fixtures/fixture-server.ts';
import { eventually } from '../support/eventually.ts';
import { panelOfTest } from './panel-of-test.ts';

async function open(servers: Readonly<Record<string, object>>) {
  const { panel } = await panelOfTest(servers);
  panel.start();
  return {
    panel,
    kinds: () => Object.fromEntries(panel.getSnapshot().servers.map(({ name, state }) => [name, state.kind])),
  };
}

/** A missing command is given up at once, because it cannot get better by itself. */
const givenUp = { command: 'no-such-command' };

describe('commands to all servers', () => {
  it('stop every server that is up or comes up, and leave those alone that are down', async () => {
    const { panel, kinds } = await open({
      alpha: tinyServer(),
      beta: fixtureServer('--never-initialize'),
      gamma: givenUp,
      delta: { ...tinyServer(), panel: { autoStart: false } },
    });
    await eventually(
      () => kinds()['alpha'] === 'running' && kinds()['beta'] === 'starting' && kinds()['gamma'] === 'failed',
    );
    await expect(panel.servers.stopAll()).resolves.toEqual({ servers: ['alpha', 'beta'], failures: [] });
    expect(kinds()).toEqual({ alpha: 'stopped', beta: 'stopped', gamma: 'failed', delta: 'stopped' });
    await expect(panel.servers.stopAll()).resolves.toEqual({ servers: [], failures: [] });
  });

  it('end a restart that is under way with a stop', async () => {
    const { panel, kinds } = await open({ alpha: tinyServer() });
    await eventually(() => kinds()['alpha'] === 'running');
    const restart = panel.servers.restart('alpha');
    const isSuperseded = expect(restart).rejects.toMatchObject({ code: 'SUPERSEDED' });
    await panel.servers.stopAll();
    await isSuperseded;
    expect(kinds()).toEqual({ alpha: 'stopped' });
  });

  it('restart what was given up, and nothing else, and say which failed again and why', async () => {
    const { panel, kinds } = await open({
      alpha: tinyServer(),
      beta: givenUp,
      gamma: { ...tinyServer(), panel: { autoStart: false } },
    });
    await eventually(() => kinds()['alpha'] === 'running' && kinds()['beta'] === 'failed');
    const generations = () => panel.getSnapshot().servers.map(({ generation }) => generation);
    const before = generations();
    await expect(panel.servers.restartFailed()).resolves.toMatchObject({
      servers: ['beta'],
      failures: [{ server: 'beta', error: { code: 'COMMAND_NOT_FOUND' } }],
    });
    expect(generations()).toEqual([before[0], before[1]! + 1, before[2]]);
  });
});

describe('commandMany', () => {
  it('tells all servers before any has answered, and takes a later command for no failure', async () => {
    const told: string[] = [];
    const rejections = new Map<string, (reason: unknown) => void>();
    const outcome = commandMany(['a', 'b'], (server) => {
      told.push(server);
      return new Promise((_, reject) => rejections.set(server, reject));
    });
    expect(told).toEqual(['a', 'b']);
    const crash = new PanelError('CRASHED', 'It ended.');
    rejections.get('a')?.(new PanelError('SUPERSEDED', 'A later command won.'));
    rejections.get('b')?.(crash);
    await expect(outcome).resolves.toEqual({
      servers: ['a', 'b'],
      failures: [{ server: 'b', error: crash }],
    });
  });
});
