import { describe, expect, it } from 'vitest';
import { hasInspector } from '../../../electron/core/supervisor/run/run-watch.ts';
import { testConfig } from './supervisor-bench.ts';

const isInspected = (line: string, env: Record<string, string> = {}) => {
  const [command = '', ...args] = line.split(' ');
  return hasInspector(testConfig({}, { command, args, env }));
};

describe('hasInspector', () => {
  it.each([
    'node --inspect-brk=9230 server.js',
    'node -r ts-node/register --inspect server.ts',
    '/usr/bin/node --inspect-wait --enable-source-maps server.js',
    'tsx --inspect server.ts',
    'deno run --inspect server.ts',
    'npx -y tsx --inspect server.ts',
    'cmd /c node --inspect server.js',
    'python3 -m debugpy --listen 5678 server.py',
    'python3.12 -X frozen_modules=off -m debugpy server.py',
    'uv run --with debugpy python -m debugpy server.py',
    'debugpy --listen 5678 server.py',
    '/usr/local/bin/dlv exec server',
    // Windows finds programs by suffixes, and in any case of letters.
    String.raw`C:\Go\bin\dlv.exe exec server`,
  ])('knows %s', (line) => {
    expect(isInspected(line)).toBe(true);
  });

  it.each([
    'node server.js --inspect',
    'node --require ./setup.js server.js --inspect-brk',
    'node server.js --inspector dlv-notes',
    'npx -y some-server --inspect',
    'python3 server.py -m debugpy',
    'python3 -m server debugpy',
    'some-server dlv --inspect',
    'some-server node --inspect',
  ])('does not take a word of the server for one of its program: %s', (line) => {
    expect(isInspected(line)).toBe(false);
  });

  it('knows the flag in NODE_OPTIONS, behind a shell, and behind a script of one', () => {
    expect(isInspected('npx server', { NODE_OPTIONS: '--max-old-space-size=99 --inspect' })).toBe(true);
    expect(isInspected('npx server', { NODE_OPTIONS: '--inspector' })).toBe(false);
    const script = (text: string) => hasInspector(testConfig({}, { command: 'sh', args: ['-c', text] }));
    expect(script('cd /srv && exec node --inspect server.js')).toBe(true);
    expect(script('exec node server.js --inspect')).toBe(false);
  });
});
