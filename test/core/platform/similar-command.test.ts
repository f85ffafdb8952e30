import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  requireCommand,
  findSimilarCommand,
  nearestCommand,
} from '../../../electron/core/platform/find-command.ts';
import { skipOn } from '../../support/skip-on.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

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

describe('a command that is not there', skipOn('win32', 'Windows has no mode bits'), () => {
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
