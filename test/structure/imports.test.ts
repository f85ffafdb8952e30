import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, sourceFiles } from './import-graph.ts';

const root = resolve(import.meta.dirname, '../..');

type Room = 'shared' | 'core' | 'shell' | 'preload' | 'renderer';

/** Rooms of ours that each room may import, beside itself. */
const mayImport: Record<Room, readonly Room[]> = {
  shared: [],
  core: ['shared'],
  shell: ['core', 'shared'],
  preload: ['shared'],
  renderer: ['shared'],
};

/** Modules that a room may not import, whoever made them. */
const mayNotImport: Record<Room, RegExp | undefined> = {
  shared: /^(electron|node:)/,
  core: /^electron(\/|$)/,
  shell: undefined,
  preload: /^node:/,
  renderer: /^(electron(\/|$)|node:)/,
};

function roomOf(path: string): Room | undefined {
  const [top, second] = path.split('/');
  if (top === 'shared' || top === 'renderer') return top;
  if (top !== 'electron') return undefined;
  if (second === 'core' || second === 'shell') return second;
  return second?.startsWith('preload') ? 'preload' : undefined;
}

const files = ['shared', 'electron', 'renderer'].flatMap((folder) => sourceFiles(root, folder));
const imports = files.flatMap((file) => importsOf(root, file));

describe('the arrows of the house', () => {
  it('are walked at all: every room has files, and every room but shared imports something of ours', () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].sort()).toEqual(['core', 'preload', 'renderer', 'shared', 'shell']);
    expect(imports.length).toBeGreaterThan(files.length);
  });

  it('point from the outside in, and nowhere else', () => {
    const wrong = imports.filter(({ from, to, isOurs }) => {
      const room = roomOf(from)!;
      if (!isOurs) return mayNotImport[room]?.test(to);
      const target = roomOf(to);
      return target !== undefined && target !== room && !mayImport[room].includes(target);
    });
    expect(wrong).toEqual([]);
  });

  it('bring no schemas to the page, because what makes them tries `eval`, which its policy forbids', () => {
    const seen = new Set(['renderer/main.tsx']);
    const libraries: string[] = [];
    // A set gives what is added to it while it is walked.
    for (const file of seen)
      for (const { to, isOurs } of imports.filter(({ from, isTypeOnly }) => from === file && !isTypeOnly))
        if (isOurs) seen.add(to);
        else libraries.push(`${file} → ${to}`);
    expect(seen).toContain('renderer/clients/client-setup.tsx');
    expect(libraries.filter((arrow) => /→ zod(\/|$)/.test(arrow))).toEqual([]);
  });

  it('reach nothing outside the house but package.json', () => {
    const outside = imports.filter(({ to, isOurs }) => isOurs && roomOf(to) === undefined);
    expect(new Set(outside.map(({ to }) => to))).toEqual(new Set(['package.json']));
  });
});
