import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { LoginPath } from '../../../electron/core/platform/login-path.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { openTestPanel } from './open-test-panel.ts';

const fileOf = (home: string) =>
  JSON.parse(readFileSync(join(home, 'servers.json'), 'utf8')) as { mcpServers: Record<string, object> };

describe('taking over servers', () => {
  it('writes many with one write, and tells of each that was refused', async ({ onTestFinished }) => {
    const opened = await openTestPanel({ kept: { command: 'a', disabled: true } });
    onTestFinished(() => opened.dispose());
    const { panel, home } = opened;
    const { refused } = await panel.entries.putAll([
      { name: 'one', command: 'b', disabled: true },
      { name: 'two', url: 'no address' },
      { name: 'three', command: 'c', disabled: true },
    ]);
    expect(refused).toMatchObject([{ name: 'two', error: { code: 'CONFIG_INVALID' } }]);
    expect(Object.keys(fileOf(home).mcpServers)).toEqual(['kept', 'one', 'three']);
    // One write leaves what was there before it as the backup.
    const backup = JSON.parse(readFileSync(join(home, 'servers.json.bak'), 'utf8')) as object;
    expect(backup).toEqual({ mcpServers: { kept: { command: 'a', disabled: true } } });
  });

  it('reads a pasted text with what this machine has for it', async ({ onTestFinished }) => {
    const loginPath = new LoginPath({
      clock: systemClock,
      capture: () =>
        Promise.resolve({
          source: 'shell',
          path: '/nowhere',
          variables: new Map([['TOKEN', 'from-the-shell']]),
        }),
    });
    const opened = await openTestPanel({}, { loginPath });
    onTestFinished(() => opened.dispose());
    const { entries } = await opened.panel.entries.parseSnippet('{ "command": "no-such-program-anywhere" }');
    expect(entries[0]?.obstacle).toBe('its command no-such-program-anywhere is not on this machine');
  });
});

describe('the examples', () => {
  it('are added where their names are free, with the files that they use, and are those of the tests', async ({
    onTestFinished,
  }) => {
    const taken = { command: 'a', disabled: true };
    const opened = await openTestPanel({ memory: taken });
    onTestFinished(() => opened.dispose());
    const { panel, home } = opened;
    expect(await panel.entries.addExamples()).toEqual({ names: ['everything', 'filesystem'] });
    const { mcpServers } = fileOf(home);
    expect(mcpServers['memory']).toEqual(taken);
    const versionOf = (name: 'everything' | 'filesystem') =>
      packageJson.devDependencies[`@modelcontextprotocol/server-${name}`];
    expect(mcpServers['everything']).toEqual({
      command: 'npx',
      args: ['-y', `@modelcontextprotocol/server-everything@${versionOf('everything')}`],
    });
    expect(mcpServers['filesystem']).toEqual({
      command: 'npx',
      args: [
        '-y',
        `@modelcontextprotocol/server-filesystem@${versionOf('filesystem')}`,
        join(home, 'data', 'files'),
      ],
    });
    expect(existsSync(join(home, 'data', 'files', 'welcome.txt'))).toBe(true);
  });

  it('leave a file alone that is there', async ({ onTestFinished }) => {
    const opened = await openTestPanel({});
    onTestFinished(() => opened.dispose());
    const { panel, home } = opened;
    await panel.entries.addExamples();
    writeFileSync(join(home, 'data', 'files', 'welcome.txt'), 'mine');
    expect(await panel.entries.addExamples()).toEqual({ names: [] });
    expect(readFileSync(join(home, 'data', 'files', 'welcome.txt'), 'utf8')).toBe('mine');
  });
});
