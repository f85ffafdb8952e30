import { describe, expect, it } from 'vitest';
import { Overview } from '../../../renderer/views/overview.tsx';
import { aSample, aServer } from '../builders.ts';
import { render, tagOf } from '../render-view.tsx';

const MIB = 1024 * 1024;
const now = Date.now();
const using = (name: string, memoryMib: number, cpuPercent: number) =>
  aServer(name, {
    sample: aSample(now - 10_000, { memoryBytes: memoryMib * MIB, cpuPercent }),
    recentCalls: { calls: memoryMib / 10, errors: 0 },
  });

describe('the tiles of the overview', () => {
  const servers = [using('browser', 240, 2), using('search', 90, 30)];
  const markup = render(<Overview />, { servers });

  it('say in words what they show, the largest first', () => {
    expect(tagOf(markup, 'Memory of all servers 330 MiB: browser 240 MiB, search 90 MiB')).toContain(
      'role="group"',
    );
    expect(tagOf(markup, 'CPU of all servers 32 %: search 30 %, browser 2.0 %')).toContain('role="group"');
    expect(markup).toContain('Calls of all servers 33 /min');
  });

  it('lead to each server by one stop of the Tab key', () => {
    const tile = markup.slice(markup.indexOf('Memory of all servers')).split('</section>')[0]!;
    expect([...tile.matchAll(/href="([^"]*)" tabindex="(-?\d)"/gi)].map((match) => match.slice(1))).toEqual([
      ['#/servers/browser', '0'],
      ['#/servers/search', '-1'],
    ]);
  });

  it('give a server the same colour in all of them', () => {
    const coloursOf = (title: string) => {
      const tile = markup.slice(markup.indexOf(`aria-label="${title} of all`)).split('</section>')[0]!;
      const entries = tile.matchAll(/background:var\(--series-(\d)\)"><\/span><span[^>]*>(\w+)</g);
      return new Map([...entries].map(([, slot, name]): [string, string] => [name!, slot!]));
    };
    expect(coloursOf('Memory')).toEqual(coloursOf('CPU'));
    expect([...coloursOf('CPU').keys()]).toEqual(['search', 'browser']);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    'show a server with the name %s, which every object has, like any other',
    (name) => {
      const named = render(<Overview />, { servers: [using(name, 240, 2)] });
      expect(tagOf(named, `Memory of all servers 240 MiB: ${name} 240 MiB`)).toContain('role="group"');
      expect(named).toContain('Calls of all servers 24 /min');
    },
  );

  it('say that nothing is known where nobody has a figure, and are not there without servers', () => {
    const unknown = render(<Overview />, { servers: [aServer('one', { runningSince: undefined as never })] });
    expect(tagOf(unknown, 'Memory of all servers –')).toContain('role="group"');
    expect(tagOf(unknown, 'Calls of all servers –')).toContain('role="group"');
    expect(render(<Overview />)).not.toContain('of all servers');
  });
});
