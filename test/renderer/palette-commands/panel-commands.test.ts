import { describe, expect, it } from 'vitest';
import type { ServerView } from '../../../shared/domain.ts';
import { aSample, aServer } from '../builders.ts';
import { servicesWith } from '../in-window.ts';
import { panelCommands } from '../../../renderer/palette-commands/command-palette.tsx';

/** Commands of a panel, and what of them reaches the main process. */
function given(servers: readonly ServerView[] = [], recent: readonly string[] = []) {
  const asked: string[] = [];
  const zoomWindow = (step: string) => (asked.push(step), Promise.reject(new Error('gone')));
  const services = servicesWith({ zoomWindow }, { servers: [...servers] });
  const context = { ...services, theme: ['auto', () => undefined] as const };
  return { asked, commands: panelCommands({ context, servers, current: undefined, recent }) };
}

describe('the commands of the palette', () => {
  it('begin with some servers, those in trouble first, then the recent ones, and end with what is harmful', () => {
    const running = Array.from({ length: 9 }, (_, index) =>
      aServer(`s${index}`, { sample: aSample(5, { memoryBytes: 2 ** 20 }) }),
    );
    const broken = aServer('broken', { state: { kind: 'failed', since: 0 } });
    const recent = ['Stop all servers', 'Remove s1', 'Show usage', 'Open s8', 'gone'];
    const { commands } = given([...running, broken], recent);
    expect(commands.slice(0, 8).map(({ words }) => words)).toEqual([
      ...['Open broken', 'Open s0', 'Open s1', 'Open s2', 'Open s3', 'Open s4'],
      ...['Show usage', 'Open s8'],
    ]);
    expect(commands.slice(0, 2).map(({ figures }) => figures)).toEqual(['Failed', 'Running · 1.00 MiB']);
    const harmful = commands.map(({ isHarmful }) => isHarmful === true);
    expect(harmful.indexOf(true)).toBe(harmful.lastIndexOf(false) + 1);
    expect(commands.filter(({ isHarmful }) => isHarmful).map(({ words }) => words)).toEqual([
      ...['Stop all servers', 'Restart failed servers'],
      ...['Remove broken', ...running.map(({ name }) => `Remove ${name}`)],
    ]);
    expect(new Set(commands).size).toBe(commands.length);
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
