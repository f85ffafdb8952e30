import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

type Room = 'shared' | 'core' | 'shell' | 'preload' | 'renderer';

/** What each room may import of ours, beside itself. */
const mayImport: Record<Room, readonly Room[]> = {
  shared: [],
  core: ['shared'],
  shell: ['core', 'shared'],
  preload: ['shared'],
  renderer: ['shared'],
};

/** Modules that a room may not import, of whoever's making. */
const mayNotImport: Record<Room, RegExp | undefined> = {
  shared: /^(electron|node:)/,
  core: /^electron(\/|$)/,
  shell: undefined,
  preload: /^node:/,
  renderer: /^(electron(\/|$)|node:)/,
};

function roomOf(path: string): Room | undefined {
  const parts = relative(root, path).split(sep);
  if (parts[0] === 'shared' || parts[0] === 'renderer') return parts[0];
  if (parts[0] !== 'electron') return undefined;
  if (parts[1] === 'core' || parts[1] === 'shell') return parts[1];
  return parts[1]?.startsWith('preload') ? 'preload' : undefined;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g);
  return [...found].map((match) => match[1]!);
}

const files = ['shared', 'electron', 'renderer'].flatMap(sourceFiles);
const edges = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })));

describe('the arrows of the house', () => {
  it('are walked at all: every room has files, and every room but shared imports something of ours', () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].sort()).toEqual(['core', 'preload', 'renderer', 'shared', 'shell']);
    expect(edges.length).toBeGreaterThan(files.length);
  });

  it('point from the outside in, and nowhere else', () => {
    const wrong = edges.flatMap(({ file, target }) => {
      const from = roomOf(file)!;
      if (!target.startsWith('.'))
        return mayNotImport[from]?.test(target) ? [`${relative(root, file)} → ${target}`] : [];
      const to = roomOf(resolve(dirname(file), target));
      if (to === undefined || to === from || mayImport[from].includes(to)) return [];
      return [`${relative(root, file)} → ${target}`];
    });
    expect(wrong).toEqual([]);
  });

  it('reach nothing outside the house but package.json', () => {
    const outside = edges
      .filter(
        ({ file, target }) => target.startsWith('.') && roomOf(resolve(dirname(file), target)) === undefined,
      )
      .map(({ target }) => target.replace(/^(\.\.\/)+/, ''));
    expect(new Set(outside)).toEqual(new Set(['package.json']));
  });
});
