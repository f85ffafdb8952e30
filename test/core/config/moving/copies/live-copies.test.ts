import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCopyFinder } from '../../../../../electron/core/config/moving/copies/running-copies.ts';
import { processTableForPlatform } from '../../../../../electron/core/platform/process-system.ts';
import { onlyOn } from '../../../../support/skip-on.ts';
import { MIB } from './process-rows.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => (folder = tempFolder('copies-')));
afterEach(() => {
  for (const child of children.splice(0)) process.kill(-child.pid!, 'SIGKILL');
});

const put = (path: string, text: string): string => {
  const whole = join(folder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
};

/** Starts a script that starts the server through a wrapper. Resolves once the server runs. */
async function start(script: string, words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [script, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.push(child);
  await new Promise((resolve) => void child.stdout.once('data', resolve));
  return child.pid!;
}

it(
  'a copy that runs now below a program is found through its wrappers, with all its memory, and the panel’s own is not',
  onlyOn('linux', 'reads /proc'),
  async () => {
    const wait = 'setInterval(() => {}, 1000);';
    const runs = (words: string) =>
      `require('node:child_process').spawn(${words}, { stdio: 'inherit' }); ${wait}`;
    const server = put('node_modules/notes-mcp/cli.js', `console.log('ready'); ${wait}`);
    // As npx does: its own process, a shell that waits, and the program of the package.
    const line = `"${process.execPath}" "${server}" "$0"; exit`;
    const npx = put('npx', runs(`'sh', ['-c', ${JSON.stringify(line)}, process.argv.at(-1)]`));
    const client = put('gemini.js', runs(`process.execPath, ['${npx}', ...process.argv.slice(2)]`));
    const panel = put('panel.js', runs(`process.execPath, ['${npx}', ...process.argv.slice(2)]`));
    const words = ['-y', 'notes-mcp', folder];
    await start(client, words);
    const panelPid = await start(panel, words);

    const processTable = processTableForPlatform();
    const find = createCopyFinder({ processTable, ownPids: () => [panelPid] });
    const servers = ['gemini-cli', 'cursor'].map((program) => ({
      program,
      name: 'notes',
      words: ['npx', ...words],
    }));
    const found = await find(servers);
    processTable.dispose();

    expect([...found.keys()]).toEqual(['gemini-cli']);
    const [copy, ...others] = found.get('gemini-cli')!;
    expect(others).toEqual([]);
    expect(copy).toMatchObject({ server: 'notes' });
    expect(copy!.pids).toHaveLength(3);
    // Two Node processes and a shell.
    expect(copy!.memoryBytes).toBeGreaterThan(20 * MIB);
    expect(copy!.memoryBytes).toBeLessThan(1000 * MIB);
  },
);
