import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { parse } from 'jsonc-parser';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeError } from '../../scripts/lib/entry.mjs';
import { projectRoot } from '../../scripts/lib/paths.mjs';
import { seedServers } from '../../scripts/lib/seed.mjs';
import { tempFolder } from '../support/temp-folder.ts';

let base = '';
let home = '';
beforeEach(() => {
  base = tempFolder('seed-test-');
  home = join(base, 'new', 'home');
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => void vi.restoreAllMocks());

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

  it.each(['{"mcpServers":{}}', ' ', 'broken {'])('never touches a file that is there: %j', (content) => {
    mkdirSync(home, { recursive: true });
    writeFileSync(serversFile(), content);
    seedServers(home);
    expect(readFileSync(serversFile(), 'utf8')).toBe(content);
    expect(existsSync(join(home, 'data'))).toBe(false);
  });

  it('takes a file without a single byte for none', () => {
    mkdirSync(home, { recursive: true });
    writeFileSync(serversFile(), '');
    seedServers(home);
    expect(readFileSync(serversFile(), 'utf8')).toContain('"everything"');
  });

  it('leaves an empty file alone whose backup says that it held something', () => {
    mkdirSync(home, { recursive: true });
    writeFileSync(serversFile(), '');
    writeFileSync(`${serversFile()}.bak`, '{"mcpServers":{}}');
    seedServers(home);
    expect(readFileSync(serversFile(), 'utf8')).toBe('');
  });

  it('leaves nothing beside what it wrote', () => {
    seedServers(home);
    expect(readdirSync(home).sort()).toEqual(['data', 'servers.json']);
    expect(readdirSync(join(home, 'data', 'files'))).toEqual(['welcome.txt']);
  });

  it('names the place and a remedy where a file stands in the way of a folder', () => {
    mkdirSync(join(base, 'new'), { recursive: true });
    writeFileSync(join(base, 'new', 'home'), '');
    const failure = messageOf(() => seedServers(home));
    expect(failure).toMatch(/new\/home" cannot be used: there is a file in its place \(EEXIST\)\.\n {2}Move/);
    expect(messageOf(() => seedServers(join(home, 'deeper')))).toContain('ENOTDIR');
    expect(failure).toContain('MCP_CONTROL_PANEL_HOME');
  });
});

describe.skipIf(!canMount())('seedServers on a disk of its own (needs the right to mount one)', () => {
  const disk = () => join(base, 'disk');
  const servers = () => join(disk(), 'servers.json');
  const mount = (options) => {
    mkdirSync(disk(), { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk()]);
  };
  afterEach(() => execFileSync('umount', [disk()]));

  it('names a full disk, leaves no half file, and seeds when there is room again', () => {
    mount('size=16k');
    const fill = join(disk(), 'fill');
    expect(() => writeFileSync(fill, Buffer.alloc(64 * 1024))).toThrow('ENOSPC');
    const failure = messageOf(() => seedServers(disk()));
    expect(failure).toMatch(/disk\/.*" cannot be used: its disk is full \(ENOSPC\)\.\n {2}Make room/);
    expect(existsSync(servers())).toBe(false);
    expect(readdirSync(disk(), { recursive: true }).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    rmSync(fill);
    seedServers(disk());
    expect(readFileSync(servers(), 'utf8')).toContain('"everything"');
  });

  it('names a home that is read-only', () => {
    mount('ro');
    expect(messageOf(() => seedServers(disk()))).toMatch(
      /disk" cannot be used: its file system is read-only \(EROFS\)\./,
    );
    expect(messageOf(() => seedServers(join(disk(), 'deeper', 'home')))).toContain('read-only (EROFS)');
  });
});

function canMount() {
  const folder = mkdtempSync(join(tmpdir(), 'seed-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Message as the person reads it. */
function messageOf(action) {
  try {
    action();
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}
