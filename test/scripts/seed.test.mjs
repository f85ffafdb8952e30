import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { projectRoot } from '../../scripts/lib/paths.mjs';
import { seedServers } from '../../scripts/lib/seed.mjs';

let base = '';
let home = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'seed-test-'));
  home = join(base, 'new', 'home');
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(base, { recursive: true, force: true });
});

const serversFile = () => join(home, 'servers.json');

describe('seedServers', () => {
  it('writes three servers that npx fetches, each of one version, and nothing of this folder', () => {
    seedServers(home);
    const problems = [];
    const text = readFileSync(serversFile(), 'utf8');
    const { mcpServers } = parse(text, problems);
    expect(problems).toEqual([]);
    expect(Object.keys(mcpServers)).toEqual(['everything', 'memory', 'filesystem']);
    for (const [name, { command, args }] of Object.entries(mcpServers)) {
      expect(command).toBe('npx');
      expect(args[0]).toBe('-y');
      expect(args[1]).toMatch(new RegExp(`^@modelcontextprotocol/server-${name}@\\d+\\.\\d+\\.\\d+$`));
    }
    expect(text).not.toContain(projectRoot);
  });

  it('keeps the data of the examples inside the home', () => {
    seedServers(home);
    const { mcpServers } = parse(readFileSync(serversFile(), 'utf8'));
    expect(mcpServers.memory.env.MEMORY_FILE_PATH).toBe(join(home, 'data', 'memory.json'));
    expect(mcpServers.filesystem.args[2]).toBe(join(home, 'data', 'files'));
    expect(existsSync(join(home, 'data', 'files', 'welcome.txt'))).toBe(true);
  });

  it('begins the file with a comment that says what it is', () => {
    seedServers(home);
    expect(readFileSync(serversFile(), 'utf8')).toMatch(/^\/\/ .*mcpServers/);
  });

  it.skipIf(process.platform === 'win32')('lets only the owner read it', () => {
    seedServers(home);
    expect(statSync(serversFile()).mode & 0o777).toBe(0o600);
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it.each(['{"mcpServers":{}}', '', 'broken {'])('never touches a file that is there: %j', (content) => {
    mkdirSync(home, { recursive: true });
    writeFileSync(serversFile(), content);
    seedServers(home);
    expect(readFileSync(serversFile(), 'utf8')).toBe(content);
    expect(existsSync(join(home, 'data'))).toBe(false);
  });
});
