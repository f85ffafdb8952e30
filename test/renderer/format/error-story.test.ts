import { describe, expect, it } from 'vitest';
import { bugReport } from '../../../renderer/views/diagnosis-card.tsx';
import { isInTrouble, tellError } from '../../../renderer/format/error-story.ts';
import { markTarget, markText } from '../../../renderer/format/marked-words.ts';
import type { ErrorReport } from '../../../shared/error-codes.ts';
import { aServer } from '../builders.ts';

const cause = "Error: Cannot find module '/x/tool.js'";
const crashed: ErrorReport = {
  code: 'START_FAILED',
  message: `${cause} (exited with code 1 before its handshake)`,
  remedy: 'Check the path.',
  causeLines: ['node:internal/modules', cause, 'code: MODULE_NOT_FOUND'],
  data: { phrase: 'x', brief: cause },
};

describe('tellError', () => {
  it('leads with the cause, then tells how it ended, and marks the line that says why', () => {
    expect(tellError(crashed)).toEqual({
      headline: cause,
      more: 'Exited with code 1 before its handshake.',
      lines: [
        { text: 'node:internal/modules', isCause: false },
        { text: cause, isCause: true },
        { text: 'code: MODULE_NOT_FOUND', isCause: false },
      ],
    });
  });

  it('shows what a program wrote as it wrote it, and a message that begins otherwise as a whole', () => {
    const { headline, more } = tellError({
      code: 'START_FAILED',
      message: 'The server exited with code 1. Its last output: x',
      data: { brief: 'docker: no' },
    });
    expect([headline, more]).toEqual(['docker: no', 'The server exited with code 1. Its last output: x']);
  });

  it('marks the line that a longer cause was put together from', () => {
    const lines = ['ZodError: [', 'validation error for Settings', 'token'];
    const brief = 'validation error for Settings: token: Field required';
    const { lines: told } = tellError({ ...crashed, causeLines: lines, data: { brief } });
    expect(told.map(({ isCause }) => isCause)).toEqual([false, true, false]);
  });

  it('keeps what is too long for a headline below it, and repeats nothing', () => {
    const message = 'The command "x" was not found. PATH tried: /usr/bin';
    const phrase = 'the command "x" was not found';
    expect(tellError({ code: 'COMMAND_NOT_FOUND', message, data: { phrase, hasMore: true } })).toEqual({
      headline: 'The command "x" was not found',
      more: 'PATH tried: /usr/bin',
      lines: [],
    });
    const alone = tellError({
      code: 'CRASHED',
      message: 'gone (x)',
      causeLines: ['gone'],
      data: { brief: 'gone' },
    });
    expect(alone.lines).toEqual([]);
    expect(tellError({ code: 'UNREACHABLE', message: 'It is not there.' })).toEqual({
      headline: 'It is not there.',
      more: undefined,
      lines: [],
    });
  });
});

describe('isInTrouble', () => {
  const lastError: ErrorReport = { code: 'CRASHED', message: 'x' };
  const inState = (kind: 'running' | 'failed' | 'backoff' | 'starting' | 'stopped', more = {}) =>
    isInTrouble(aServer('one', { state: { kind, since: 0 }, lastError, ...more }));

  it('is a server that failed or is being restarted, and not one that runs again or was stopped', () => {
    expect([inState('failed'), inState('backoff'), inState('starting', { restartAttempt: 1 })]).toEqual([
      true,
      true,
      true,
    ]);
    expect([inState('running'), inState('starting'), inState('stopped')]).toEqual([false, false, false]);
    expect(inState('failed', { lastError: undefined })).toBe(false);
  });

  it('is a server that was stopped for its limit', () => {
    expect(inState('stopped', { lastError: { code: 'LIMIT_BREACHED', message: 'x' } })).toBe(true);
  });
});

const shown = (parts: readonly { text: string; isMarked: boolean }[]) =>
  parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('');

describe('the marked command', () => {
  const mark = (error: Partial<ErrorReport>, target: string) =>
    shown(markTarget({ code: 'START_FAILED', message: 'x', ...error }, target));

  it.each<[Partial<ErrorReport>, string, string]>([
    [{ code: 'COMMAND_NOT_FOUND', data: { wrong: 'ndoe' } }, 'ndoe a ndoe', '[ndoe] a ndoe'],
    [{ code: 'CWD_MISSING', data: { wrong: '/gone' } }, 'node /gone/a', 'node /gone/a'],
    [{ fix: { kind: 'check-package', package: '@a/b' } }, 'npx -y @a/b@1.2 c', 'npx -y [@a/b@1.2] c'],
    [{ fix: { kind: 'check-package', package: '@a/b@9' } }, 'npx @a/b', 'npx [@a/b]'],
    [{ fix: { kind: 'check-package' } }, 'npx @a/b', 'npx @a/b'],
    [{ fix: { kind: 'replace-placeholder', placeholder: '${x}' } }, 'node ${x}/a.js', 'node [${x}]/a.js'],
    [{ fix: { kind: 'check-path', path: '/t.js' } }, 'node /t.js --a', 'node [/t.js] --a'],
    [{ fix: { kind: 'install-command', command: 'uv' } }, 'sh -c uv run uvx', 'sh -c [uv] run uvx'],
    [
      { fix: { kind: 'check-arguments' }, causeLines: ["error: unknown option '--prot'"] },
      'x --port 1 --prot 2',
      'x --port 1 [--prot] 2',
    ],
    [{ code: 'UNREACHABLE' }, 'https://a.example/mcp', '[https://a.example/mcp]'],
    [{ code: 'CRASHED' }, 'node a.js', 'node a.js'],
  ])('%j in %s', (error, target, expected) => {
    expect(mark(error, target)).toBe(expected);
  });

  it('loses and adds nothing, whatever overlaps', () => {
    const parts = markText('a b c a b', ['a b', 'b', 'a', '', 'zz']);
    expect(parts.map(({ text }) => text).join('')).toBe('a b c a b');
    expect(shown(parts)).toBe('[a b] c [a b]');
  });
});

describe('bugReport', () => {
  it('holds the cause, the command, the versions and the system', () => {
    const server = aServer('one', {
      serverInfo: { name: 's', version: '2' },
      generation: 3,
      restartsTotal: 2,
    });
    const report = bugReport(server, crashed, { appVersion: '1', electronVersion: '2', platform: 'Linux' });
    for (const part of [
      `one: ${cause}`,
      'Code: START_FAILED',
      'From stderr:',
      'Command: npx one',
      'Server: s 2',
      '(start 3, 2 restarts since the panel started)',
      'MCP Control Panel 1, Electron 2, Linux',
    ])
      expect(report).toContain(part);
  });
});
