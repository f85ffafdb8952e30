import { describe, expect, it } from 'vitest';
import { recentFirst } from '../../../renderer/palette-commands/command-palette.tsx';
import type { ServerView } from '../../../shared/domain.ts';
import { aServer } from '../builders.ts';
import { servicesWith } from '../in-window.ts';
import { panelCommands } from '../../../renderer/palette-commands/panel-commands.ts';

/** Commands of a panel without servers, and what of them reaches the main process. */
function given(servers: readonly ServerView[] = []) {
  const asked: string[] = [];
  const zoomWindow = (step: string) => (asked.push(step), Promise.reject(new Error('gone')));
  const services = servicesWith({ zoomWindow }, { servers: [...servers] });
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
