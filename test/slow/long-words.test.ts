import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tinyServer, waitUntil } from '../fixtures/fixture-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ENTRY = join(import.meta.dirname, '../../electron/core/headless.ts');
const LETTERS = 'a'.repeat(1024);

it('starts a server beside entries with words of 1024 letters in every place of an entry', async () => {
  const home = tempFolder('long-words-');
  const off = { disabled: true };
  const mcpServers = {
    argument: {
      ...off,
      command: 'node',
      args: [LETTERS, '-k', LETTERS, `--option=${LETTERS}`, '--name', LETTERS],
    },
    env: { ...off, command: 'node', env: { [LETTERS]: LETTERS, VALUE: LETTERS } },
    header: { ...off, url: 'http://127.0.0.1:9/mcp', headers: { [LETTERS]: LETTERS, 'X-Value': LETTERS } },
    address: { ...off, url: `http://127.0.0.1:9/${LETTERS}?${LETTERS}=${LETTERS}` },
    tiny: tinyServer('tiny'),
  };
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers }));
  const core = spawn(process.execPath, [ENTRY, '--home', home], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  core.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  try {
    await waitUntil(() => / tiny running/.test(text), {
      deadlineMs: 20_000,
      describe: 'the server beside them',
    });
  } finally {
    core.kill('SIGKILL');
  }
  expect(text).not.toContain('failed');
});
