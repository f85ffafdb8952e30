import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { patientRename } from '../../../../electron/core/files/write-atomically.ts';
import { watchForLost } from '../../../../electron/core/config/moving/lost-watch.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { withLinks, withModes } from '../../../support/skip-on.ts';
import { moved, testMover } from './test-mover.ts';

const claudeFile = (count: number) =>
  JSON.stringify({ numStartups: count, mcpServers: { github: { command: 'npx' } } }, null, 2);
const github = [{ name: 'github', scope: 'user' }];

interface Parsed {
  readonly numStartups: number;
  readonly mcpServers: Readonly<Record<string, { readonly url?: string }>>;
}
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Parsed;

/** Renames over a file, the first time within this tick. */
const replace = patientRename(async (from, to) => renameSync(from, to));

/** Adds one to a number in the file, as Claude Code does it: under its lock, by a rename. */
async function lockedWriter(file: string, times: number, random: () => number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await pause(random() * 80);
    for (;;) {
      try {
        mkdirSync(`${file}.lock`);
        break;
      } catch {
        await pause(1);
      }
    }
    const found = read(file);
    await pause(random() * 30);
    writeFileSync(`${file}.tmp.1`, JSON.stringify({ ...found, numStartups: found.numStartups + 1 }, null, 2));
    await pause(random() * 10);
    await replace(`${file}.tmp.1`, file);
    rmdirSync(`${file}.lock`);
  }
}

/** Moves until nobody comes between what was shown and the write. */
async function movedAtLast(mover: ReturnType<typeof testMover>['mover']): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    try {
      await moved(mover, 'claude-code', github);
      return;
    } catch (error) {
      expect(error).toMatchObject({ code: 'CONFIG_CONFLICT' });
      await pause(1);
    }
  }
  throw new Error('never moved');
}

/** Runs 200 rounds, a few of them side by side, so that their waits cost nothing. */
async function rounds(round: () => Promise<void>): Promise<void> {
  const lane = async () => {
    for (let count = 0; count < 50; count += 1) await round();
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
}

describe('against another writer', { timeout: 120_000 }, () => {
  it('that takes the lock of Claude Code, neither loses anything, 200 times of 200', async () => {
    await rounds(async () => {
      const { mover, put } = testMover();
      const file = put('.claude.json', claudeFile(0));
      await Promise.all([lockedWriter(file, 3, Math.random), movedAtLast(mover)]);
      const { numStartups, mcpServers } = read(file);
      expect([numStartups, mcpServers['github']?.url?.endsWith('/servers/github/mcp')]).toEqual([3, true]);
      expect(readdirSync(join(file, '..')).toSorted()).toEqual(['.claude.json', 'panel']);
    });
  });

  it('that takes none, nothing is written over that was not read', async () => {
    let losses = 0;
    await rounds(async () => {
      const { mover, put } = testMover();
      const file = put('.claude.json', claudeFile(0));
      const seen: number[] = [];
      const writer = async () => {
        for (let count = 0; count < 3; count += 1) {
          await pause(Math.random() * 60);
          // What the panel wrote over an unread number would be a smaller one.
          const found = read(file);
          seen.push(found.numStartups);
          writeFileSync(
            `${file}.tmp.1`,
            JSON.stringify({ ...found, numStartups: found.numStartups + 1 }, null, 2),
          );
          await replace(`${file}.tmp.1`, file);
        }
      };
      await Promise.all([writer(), movedAtLast(mover)]);
      expect([seen, read(file).numStartups]).toEqual([[0, 1, 2], 3]);
      const [client] = await mover.find();
      const [server] = client?.servers ?? [];
      if (server?.moved === false) {
        expect(server.lost).toBe(true);
        losses += 1;
      }
    });
    expect(losses).toBeLessThan(200);
  });

  it('tells within 5 s of an entry that another program wrote over', async () => {
    const { mover, moved: movedFile, put } = testMover();
    const text = JSON.stringify({ mcpServers: { github: { command: 'a' } } }, null, 2);
    put('.cursor/mcp.json', text);
    const clock = createFakeClock();
    const lost: string[] = [];
    const watch = watchForLost({
      moved: movedFile,
      clock,
      onLost: ({ name }, label) => lost.push(`${label}: ${name}`),
    });
    await moved(mover, 'cursor', github);
    const looked = async (ms: number) => {
      await clock.advance(ms);
      // The next look is due once this one has read its files.
      await expect.poll(() => clock.pending, { timeout: 10_000 }).toBe(1);
    };
    await looked(2000);
    await looked(2000);
    expect(lost).toEqual([]);
    put('.cursor/mcp.json', `${text}\n`);
    await looked(2500);
    await looked(2000);
    expect(lost).toEqual(['Cursor: github']);
    watch.dispose();
    expect(clock.pending).toBe(0);
  });
});

describe('a file that', () => {
  const text = '{ "mcpServers": { "github": { "command": "a" } } }';

  /** Tries a move, and checks that it is refused with these words and leaves nothing. */
  async function refused(prepare: (file: string) => void, words: RegExp, code: string): Promise<void> {
    const { mover, panel, put, servers, issued } = testMover();
    const file = put('.cursor/mcp.json', text);
    const { precondition } = await mover.move('cursor', github);
    prepare(file);
    const before = readdirSync(join(file, '..'));
    await expect(mover.move('cursor', github, precondition)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(words) as string,
    });
    expect([servers.size, issued.length, readdirSync(panel)]).toEqual([0, 0, []]);
    expect(readdirSync(join(file, '..'))).toEqual(before);
  }

  it('is read-only is left', () =>
    refused(
      (file) => chmodSync(file, 0o444),
      /mcp\.json was not written: permission denied/,
      'PERMISSION_DENIED',
    ));
  it('lies in a read-only folder is left', withModes, () =>
    refused((file) => chmodSync(join(file, '..'), 0o555), /was not written/, 'PERMISSION_DENIED'),
  );
  it('is broken is left, with its line and column', () =>
    refused(
      (file) => writeFileSync(file, '{\n  "a": ,\n}'),
      /is left as it is: .*line 2, column 8/,
      'CONFIG_BROKEN',
    ));
  it('is huge is left', () =>
    refused((file) => truncateSync(file, 65 * 1024 * 1024), /larger than 64 MiB/, 'CONFIG_BROKEN'));
  it('is gone is not made', () =>
    refused((file) => renameSync(file, `${file}.away`), /has no server "github"/, 'SERVER_UNKNOWN'));

  it('is a link stays one, and keeps mode and owner', withLinks, async () => {
    const { mover, home, put } = testMover();
    const target = put('dotfiles/cursor.json', text);
    chmodSync(target, 0o640);
    mkdirSync(join(home, '.cursor'));
    const link = join(home, '.cursor/mcp.json');
    symlinkSync('../dotfiles/cursor.json', link);
    await moved(mover, 'cursor', github);
    expect(realpathSync(link)).toBe(realpathSync(target));
    expect(readFileSync(target, 'utf8')).toContain('/servers/github/mcp');
    expect(statSync(target).mode & 0o777).toBe(0o640);
    await mover.restore({});
    expect(readFileSync(link, 'utf8')).toBe(text);
  });

  it('has two names keeps both', async () => {
    const { mover, home, put } = testMover();
    const file = put('.cursor/mcp.json', text);
    const other = join(home, 'other.json');
    linkSync(file, other);
    const { difference } = await moved(mover, 'cursor', github);
    expect(difference[0]?.notes).toEqual([expect.stringContaining('hard links')]);
    expect(readFileSync(other, 'utf8')).toContain('/servers/github/mcp');
    await mover.restore({});
    expect(readFileSync(other, 'utf8')).toBe(text);
    expect(statSync(other).nlink).toBe(2);
  });

  it('is locked by a program that died is written, and its lock goes', async () => {
    const { mover, put } = testMover();
    const file = put('.claude.json', claudeFile(0));
    mkdirSync(`${file}.lock`);
    utimesSync(`${file}.lock`, 1_000_000, 1_000_000);
    await moved(mover, 'claude-code', github);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('stays locked is left in the end', { timeout: 60_000 }, async () => {
    const { mover, panel, put, servers } = testMover();
    const file = put('.claude.json', claudeFile(0));
    mkdirSync(`${file}.lock`);
    const touching = setInterval(() => utimesSync(`${file}.lock`, new Date(), new Date()), 1000);
    onTestFinished(() => clearInterval(touching));
    await expect(moved(mover, 'claude-code', github)).rejects.toMatchObject({
      code: 'CONFIG_CONFLICT',
      message: expect.stringContaining('keeps it locked') as string,
    });
    expect(readFileSync(file, 'utf8')).toBe(claudeFile(0));
    expect([servers.size, JSON.parse(readFileSync(join(panel, 'moved.json'), 'utf8'))]).toEqual([
      0,
      { version: 1, entries: [] },
    ]);
  });

  it('keeps what stood there is readable for its owner alone', withModes, async () => {
    const { mover, panel, put } = testMover();
    put('.cursor/mcp.json', text);
    await moved(mover, 'cursor', github);
    const file = join(panel, 'moved.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain('mcpcp_');
    writeFileSync(file, '{');
    await expect(mover.restore({})).rejects.toMatchObject({ code: 'CONFIG_BROKEN' });
  });
});
