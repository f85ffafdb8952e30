import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prepareFirstRun } from '../../scripts/lib/seed.mjs';
import { pinnedNode } from '../../scripts/lib/install.mjs';
import { projectRoot } from '../../scripts/lib/paths.mjs';
import { tempFolder } from '../support/temp-folder.ts';

let base = '';
let home = '';
let told;
beforeEach(() => {
  base = tempFolder('first-run-test-');
  home = join(base, 'panel');
  told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.stubEnv('HOME', base);
  vi.stubEnv('XDG_CONFIG_HOME', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const writeCursor = (content) => {
  mkdirSync(join(base, '.cursor'));
  writeFileSync(join(base, '.cursor', 'mcp.json'), content);
};
const servers = JSON.stringify({ mcpServers: { a: { command: 'npx' }, b: { command: 'uvx' } } });
const serversFile = () => join(home, 'servers.json');

describe.skipIf(process.platform === 'win32')('a first run', () => {
  it('writes the examples where no other client has servers', async () => {
    writeCursor('{ "mcpServers": {} }');
    await prepareFirstRun(home);
    expect(readFileSync(serversFile(), 'utf8')).toContain('"everything"');
  });

  it('writes nothing where other clients have servers, and says that the window offers those', async () => {
    writeCursor(servers);
    await prepareFirstRun(home);
    expect(existsSync(home)).toBe(false);
    expect(told.mock.calls.join()).toContain('found 2 servers in Cursor; the window offers to bring them in');
  });

  it('looks at no other client once there is a servers.json', async () => {
    mkdirSync(home);
    writeFileSync(serversFile(), '{}');
    writeCursor(servers);
    await prepareFirstRun(home);
    expect(told).not.toHaveBeenCalled();
  });

  it('counts a server once that two clients have under one name', () => {
    writeCursor(servers);
    writeFileSync(join(base, '.claude.json'), JSON.stringify({ mcpServers: { a: { command: 'npx' } } }));
    const script = join(projectRoot, 'electron', 'core', 'count-imports.ts');
    expect(JSON.parse(execFileSync(pinnedNode, [script], { encoding: 'utf8' }))).toEqual({
      count: 2,
      labels: ['Claude Code', 'Cursor'],
    });
  });
});
