import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  requireCommand,
  findSimilarCommand,
  nearestCommand,
} from '../../../electron/core/platform/find-command.ts';
import { spawnChild } from '../../../electron/core/platform/spawner.ts';
import { withModes } from '../../support/skip-on.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { sharedFolder } from '../../support/temp-folder.ts';
import { findProgram } from '../../../electron/core/platform/find-program.ts';

const folder = sharedFolder('find-command-');
beforeAll(() => {
  for (const name of ['one', 'two']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'two', 'tool'), '#!/bin/sh\nexit 0\n');
  chmodSync(join(folder, 'two', 'tool'), 0o755);
  writeFileSync(join(folder, 'two', 'plain'), 'not a program');
  symlinkSync(join(folder, 'gone'), join(folder, 'one', 'dangling'));
});

const codeOf = (outcome: Promise<unknown>) =>
  outcome.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );

describe('requireCommand', withModes, () => {
  it('says the same of a missing command as the spawn does', async () => {
    const request = { command: 'no-such-command-here', args: [], env: { PATH: '/nowhere' } };
    const [looked, spawned] = await Promise.allSettled([requireCommand(request), spawnChild(request)]);
    const errorOf = (result: PromiseSettledResult<unknown>) =>
      result.status === 'rejected'
        ? { ...(result.reason as Error), message: String(result.reason) }
        : undefined;
    expect(errorOf(looked)).toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      message: expect.stringContaining('/nowhere') as string,
      remedy: expect.any(String) as string,
    });
    expect(errorOf(looked)).toEqual(errorOf(spawned));
  });

  it('never refuses what a spawn would find', async () => {
    const commands = ['tool', 'plain', 'dangling', 'missing', './two/tool', 'two/tool', '/bin/sh'];
    const folders = ['one', 'two', 'three'].map((name) => join(folder, name));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...commands, join(folder, 'two', 'tool'), join(folder, 'one', 'missing')),
        fc.uniqueArray(fc.constantFrom(...folders, '', '.'), { maxLength: 3 }),
        async (command, parts) => {
          const request = { command, args: [], env: { PATH: parts.join(':') }, cwd: folder };
          const looked = await codeOf(requireCommand(request));
          const spawned = await codeOf(spawnChild(request));
          if (looked !== undefined)
            expect([looked, spawned]).toEqual(['COMMAND_NOT_FOUND', 'COMMAND_NOT_FOUND']);
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  it('leaves to the spawn what it cannot know', async () => {
    const missing = 'no-such-command-here';
    await requireCommand({ command: missing, env: {} });
    await requireCommand({ command: missing, env: { PATH: '/nowhere:' } });
    await requireCommand({ command: `./${missing}`, env: { PATH: '/nowhere' } });
  });
});

const programs = [
  'node',
  'nodejs',
  'nope',
  'npm',
  'npx',
  'nmap',
  'python3',
  'uvx',
  'uv',
  'docker',
  'ls',
  'mcp-grafana',
];

describe('nearestCommand', () => {
  it.each([
    ['ndoe', 'node'],
    ['nod', 'node'],
    ['nodee', 'node'],
    ['Node', 'node'],
    ['nxp', 'npx'],
    ['npxx', 'npx'],
    ['uxv', 'uvx'],
    ['pyton3', 'python3'],
    ['dokcer', 'docker'],
    ['mcp-graphana', 'mcp-grafana'],
  ])('takes %s for %s', (written, meant) => {
    expect(nearestCommand(written, programs)).toBe(meant);
  });

  it.each(['gh', 'xy', 'cargo', 'my-server', 'nodexyz', ''])('guesses nothing for %j', (written) => {
    expect(nearestCommand(written, programs)).toBeUndefined();
  });

  it('prefers what servers are started with among names that are as near', () => {
    expect(nearestCommand('noe', ['noe1', 'nope', 'node'])).toBe('node');
  });
});

describe('a command that is not there', withModes, () => {
  const folder = sharedFolder('similar-');
  beforeAll(() => {
    mkdirSync(join(folder, 'bin'));
    for (const name of ['node', 'uvx']) writeFileSync(join(folder, 'bin', name), '#!/bin/sh\n');
    chmodSync(join(folder, 'bin', 'node'), 0o755);
  });

  it('comes with the one that was meant, in its error and its remedy', async () => {
    const env = { PATH: `/nowhere:${join(folder, 'bin')}` };
    await expect(requireCommand({ command: 'ndoe', env })).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      remedy: expect.stringContaining('Write "node"') as string,
      data: { wrong: 'ndoe', suggestion: 'node' },
    });
  });

  it('is looked for in its own folder where it names one, and only programs are proposed', async () => {
    const bin = join(folder, 'bin');
    expect(await findSimilarCommand({ command: `${bin}/nod`, path: '/nowhere' })).toBe(`${bin}/node`);
    expect(await findSimilarCommand({ command: 'uvxx', path: bin })).toBeUndefined();
    expect(await findSimilarCommand({ command: 'node1', path: '/nowhere:relative' })).toBeUndefined();
  });
});

const base = sharedFolder('find-program-');

function put(path: string, mode: number): string {
  const file = join(base, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}

describe('findProgram', withModes, () => {
  const first = put('first/tool', 0o755);
  const second = put('second/tool', 0o755);
  put('plain/tool', 0o644);
  mkdirSync(join(base, 'folders/tool'), { recursive: true });
  const pathOf = (...names: string[]) => names.map((name) => join(base, name)).join(':');

  it.each([
    ['takes the first on the PATH', 'tool', pathOf('none', 'first', 'second'), { file: first }],
    ['passes over what may not be run', 'tool', pathOf('plain', 'folders', 'second'), { file: second }],
    ['tells that there is one that may not be run', 'tool', pathOf('none', 'plain'), { code: 'EACCES' }],
    ['tells that there is none', 'tool', pathOf('none'), { code: 'ENOENT' }],
    ['takes a relative folder for one below its own', 'tool', 'first', { file: first }],
    ['takes an empty folder for its own', './first/tool', '', { file: first }],
    ['takes a path for a path', 'second/tool', pathOf('first'), { file: second }],
    ['takes an absolute path for itself', second, '', { file: second }],
    ['does not run a folder', './folders/tool', '', { code: 'EACCES' }],
  ])('%s', async (_, command, path, found) => {
    expect(await findProgram({ command, path, cwd: base })).toEqual(found);
  });

  it('looks where the system does when there is no PATH', async () => {
    expect(await findProgram({ command: 'sh', path: undefined })).toEqual({ file: '/bin/sh' });
  });
});
