import { describe, expect, it } from 'vitest';
import type { Ask } from '../../../../shared/manage.ts';
import { checkOnMachine, type ImportMachine } from '../../../../electron/core/config/import/machine-check.ts';
import type { ImportedEntry } from '../../../../shared/manage.ts';
import { findImports } from '../../../../electron/core/config/import/find-imports.ts';
import type { ServerEntry } from '../../../../shared/server-config.ts';
import { configOf } from '../../../support/config-of.ts';
import { fixtureHome, linuxHome } from './fixture-home.ts';

const machine: ImportMachine = {
  environment: { PATH: '/bin', CONTEXT7_API_KEY: 'from-the-shell', EMPTY: '' },
  home: '/home/ada',
  resolve: (path) => path.replace('~', '/home/ada'),
  isFolder: (path) => Promise.resolve(path === '/work' || path === '/home/ada/work'),
  findProgram: ({ command, cwd = '', path = '' }) => {
    const known = [':/bin npx', '/work:/bin ./run', '/home/ada/work:/bin ./run', ':/mine own'];
    if (command === 'locked') return Promise.resolve({ code: 'EACCES' });
    const isKnown = known.some((one) => [`:${path} ${command}`, `${cwd}:${path} ${command}`].includes(one));
    return Promise.resolve(isKnown ? { file: command } : { code: 'ENOENT' });
  },
};
const ask = (changes: Partial<Ask>): Ask => ({
  id: 'one',
  label: 'One',
  secret: true,
  where: 'env',
  key: 'ONE',
  placeholder: '${env:ONE}',
  kind: 'environment',
  ...changes,
});
const check = (entry: ServerEntry, asks: readonly Ask[] = []) =>
  checkOnMachine<ImportedEntry>({ name: 'a', entry, asks }, machine);

describe('checkOnMachine()', () => {
  it('answers what the environment of the person has, and nothing else', async () => {
    const { asks } = await check({ command: 'npx' }, [
      ask({ variable: 'CONTEXT7_API_KEY' }),
      ask({ variable: 'EMPTY' }),
      ask({ variable: 'toString' }),
      ask({ kind: 'value' }),
    ]);
    expect(asks?.map(({ found }) => found)).toEqual(['from-the-shell', undefined, undefined, undefined]);
  });

  it('says that a command or a working folder is not here, because no answer can change that', async () => {
    const obstacle = async (entry: ServerEntry, asks: readonly Ask[] = []) =>
      (await check(entry, asks)).obstacle;
    expect(await obstacle({ command: 'npx' })).toBeUndefined();
    expect(await obstacle({ command: 'uvx' })).toBe('its command uvx is not on this machine');
    expect(await obstacle({ command: 'own', env: { PATH: '/mine' } })).toBeUndefined();
    expect(await obstacle({ command: 'locked' })).toBe('its command locked may not be run by you');
    expect(await obstacle({ command: './run', cwd: '/work' })).toBeUndefined();
    expect(await obstacle({ command: './run', cwd: '~/work' })).toBeUndefined();
    expect(await obstacle({ command: 'npx', cwd: '/gone' })).toBe(
      'its working folder /gone is not on this machine',
    );
    expect(await obstacle({ url: 'https://a.example' })).toBeUndefined();
  });

  it('says nothing of what an answer may still change', async () => {
    const folder = ask({ where: 'cwd', key: 'cwd', placeholder: '${workspaceFolder}', kind: 'path' });
    const path = ask({ where: 'command', key: 'command', placeholder: '/path/to/run', kind: 'path' });
    expect((await check({ command: './run', cwd: '${workspaceFolder}' }, [folder])).obstacle).toBeUndefined();
    expect((await check({ command: '/path/to/run' }, [path])).obstacle).toBeUndefined();
    const elsewhere = await check({ command: 'uvx', cwd: '${workspaceFolder}' }, [folder]);
    expect(elsewhere.obstacle).toBe('its command uvx is not on this machine');
  });

  it('says nothing of programs where nobody can tell', async () => {
    const blind = { ...machine, findProgram: undefined };
    expect(await checkOnMachine({ name: 'a', entry: { command: 'uvx' } }, blind)).toEqual({
      name: 'a',
      entry: { command: 'uvx' },
    });
  });
});

describe('findImports() on a machine', () => {
  it('shows what stands here under a name that is taken by something else', async () => {
    const { env, readFile } = fixtureHome('cursor', linuxHome);
    const mine = { command: 'npx', args: ['mine'] };
    const current = [configOf(mine, 'linear')];
    const entryOf = () => Promise.resolve(mine);
    const [source] = await findImports({ env, readFile, current, entryOf, machine });
    const linear = source?.servers.find(({ name }) => name === 'linear');
    expect(linear).toMatchObject({ status: 'different', existing: mine });
    expect(source?.servers.filter(({ existing }) => existing !== undefined)).toEqual([linear]);
  });
});
