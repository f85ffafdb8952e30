import { describe, expect, it } from 'vitest';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import { createServices } from '../../../renderer/create-services.ts';
import { panelCommands } from '../../../renderer/palette-commands/panel-commands.ts';

/** Commands of a panel without servers, and what of them reaches the main process. */
function given() {
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
  const setTheme = () => undefined;
  return { asked, commands: panelCommands({ services, servers: [], current: undefined, setTheme }) };
}

describe('the commands of the palette', () => {
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
