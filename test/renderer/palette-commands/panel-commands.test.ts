import { describe, expect, it } from 'vitest';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import { createServices } from '../../../renderer/create-services.ts';
import { recentFirst } from '../../../renderer/palette-commands/recent-commands.ts';
import { applySnapshot } from '../../../renderer/store/panel-store.ts';
import type { ServerView } from '../../../shared/domain.ts';
import { aServer, aSnapshot } from '../builders.ts';
import { panelCommands } from '../../../renderer/palette-commands/panel-commands.ts';

/** Commands of a panel without servers, and what of them reaches the main process. */
function given(servers: readonly ServerView[] = []) {
  const asked: string[] = [];
  const api = new Proxy({} as ControlPanelApi, {
    get:
      (_, call) =>
      (...args: readonly unknown[]) => {
        if (call === 'zoomWindow') asked.push(String(args[0]));
        return call === 'zoomWindow' ? Promise.reject(new Error('gone')) : new Promise(() => undefined);
      },
  });
  const services = createServices(api, '');
  const { panel } = services;
  panel.setState(applySnapshot(panel.getState(), aSnapshot(1, { servers: [...servers] })));
  const context = { ...services, theme: ['auto', () => undefined] as const };
  return { asked, commands: panelCommands({ context, servers: [], current: undefined }) };
}

describe('the commands of the palette', () => {
  it('have those to all servers last, and never among the recent ones', () => {
    const { commands } = given([aServer('one'), aServer('two', { state: { kind: 'failed', since: 0 } })]);
    const words = commands.map((command) => command.words);
    expect(words.indexOf('Stop all servers')).toBeGreaterThan(words.indexOf('Actual size'));
    const recent = ['Stop all servers', 'Show usage'];
    expect(recentFirst(commands, recent)[0]?.words).toBe('Show usage');
  });

  it.each([
    ['Zoom in', 'in', /^(?:Ctrl\+|⌘)\+$/],
    ['Zoom out', 'out', /^(?:Ctrl\+|⌘)−$/],
    ['Actual size', 'reset', /^(?:Ctrl\+|⌘)0$/],
  ])('have “%s”, with its keys', (words, step, shortcut) => {
    const { asked, commands } = given();
    const command = commands.find((one) => one.words === words);
    expect(command?.shortcut).toMatch(shortcut);
    command?.run();
    expect(asked).toEqual([step]);
  });
});
