import { describe, expect, it } from 'vitest';
import { eventKinds, toldEvent, type EventKind } from '../../../shared/events.ts';
import { describeAbsence } from '../../../renderer/views/status-band.tsx';
import { errorAsText } from '../../../renderer/format/error-words.ts';
import { describeEvent, eventLine, namedEventKinds } from '../../../renderer/format/event-words.ts';
import { anEvent } from '../builders.ts';

const MIB = 1024 * 1024;
const say = (kind: EventKind, detail: object = {}) => eventLine(toldEvent(kind, detail));

describe('describeEvent', () => {
  it.each<[EventKind, object, string]>([
    [
      'started',
      { pid: 4242, generation: 1, serverInfo: { name: 'everything', version: '2.0' } },
      'started · everything 2.0 · pid 4242',
    ],
    ['stopped', { generation: 2 }, 'stopped'],
    [
      'crashed',
      {
        exitCode: 1,
        stderrTail: 'at main\ncannot read config\n\n',
        message: 'The server exited with code 1.',
      },
      'crashed · exit 1 · "cannot read config"',
    ],
    ['crashed', { signal: 'SIGKILL', stderrTail: '' }, 'crashed · ended by SIGKILL'],
    [
      'crashed',
      {
        exitCode: 1,
        stderrTail: 'Error: no token\n\nNode.js v24.21.0\n',
        cause: 'Error: no token',
        causeLines: ['Error: no token'],
      },
      'crashed · exit 1 · "Error: no token"',
    ],
    [
      'start-failed',
      { exitCode: 137, signal: 'SIGKILL', stderrTail: 'Killed', causeLines: [] },
      'failed to start · ended by SIGKILL',
    ],
    [
      'crashed',
      {
        eof: true,
        message: 'The server closed its output but did not exit.',
        phrase: 'closed its output but did not exit',
        remedy: 'Read stderr.',
      },
      'crashed · closed its output but did not exit · Read stderr.',
    ],
    [
      'stalled',
      {
        elapsedMs: 31_000,
        row: 4,
        words: 'no answer for 31 s',
        pendingMethods: ['tools/call', 'ping'],
        evidence: {},
      },
      'not responding · no answer for 31 s · 2 calls waiting: tools/call, ping',
    ],
    ['suspect', { elapsedMs: 30_000 }, 'suspect · no answer for 30 s'],
    ['recovered', { silentMs: 42_000 }, 'answers again · after 42 s'],
    ['recovered', { row: 10 }, 'well again'],
    [
      'restart-scheduled',
      { delayMs: 1400, attempt: 2, maxAttempts: 3, cause: 'crash' },
      'restarts in 1 s · attempt 2 of 3 · after a crash',
    ],
    [
      'restart-scheduled',
      { delayMs: 0, attempt: 1, cause: 'start' },
      'restarts immediately · attempt 1 · after a failed start',
    ],
    ['restarted', { generation: 4, attempt: 1, pid: 77 }, 'restarted · attempt 1 · pid 77'],
    [
      'gave-up',
      {
        cause: 'crash',
        attempts: 3,
        reason: '3 automatic restarts did not help',
        message: 'The server exited with code 1. Its last output: no config',
        phrase: 'exited with code 1. Its last output: no config',
        brief: 'exited with code 1',
      },
      'gave up · 3 automatic restarts did not help · exited with code 1',
    ],
    [
      'gave-up',
      { attempts: 3, message: 'It was written by an older panel. It tells no more.' },
      'gave up · 3 attempts · It was written by an older panel',
    ],
    ['gave-up', { attempts: 4, cause: 'stall' }, 'gave up · 4 attempts · after it stopped responding'],
    [
      'limit-breached',
      { limit: 'memory', value: 1290 * MIB, max: 1024 * MIB, holder: { pid: 9, command: 'chrome' } },
      'over its memory limit · 1.26 GiB · limit 1.00 GiB · most in chrome (pid 9)',
    ],
    [
      'limit-breached',
      { limit: 'openFiles', value: 12_000, max: 1000 },
      'over its limit of open files · 12\u2009000 · limit 1000',
    ],
    [
      'limit-recovered',
      { limit: 'cpu', value: 22, max: 80, durationMs: 61_000 },
      'back under its CPU warning · 22 % · warns above 80 % · over it for 1 m 1 s',
    ],
    ['high-cpu', { value: 92.4, max: 80 }, 'high CPU · 92 % · warns above 80 %'],
    [
      'start-failed',
      { message: 'npxx: no such command', remedy: 'Install it.' },
      'failed to start · npxx: no such command · Install it.',
    ],
    [
      'start-failed',
      {
        message: 'The command "npxx" was not found. PATH tried: /usr/bin',
        phrase: 'the command "npxx" was not found',
        remedy: 'Install it.',
      },
      'failed to start · the command "npxx" was not found · Install it.',
    ],
    [
      'start-failed',
      { exitCode: 2, message: 'x', stderrTail: 'usage' },
      'failed to start · exit 2 · "usage"',
    ],
    ['force-killed', { pids: [12, 13], signal: 'SIGKILL' }, 'killed by force · SIGKILL · pid 12, 13'],
    ['force-killed', { pids: [12], leftPids: [12] }, 'killed by force · pid 12 · still there: pid 12'],
    [
      'protocol-noise',
      { noise: 'not-json', count: 1, excerpt: 'listening  on\tstdio' },
      'wrote output that is not MCP · 1 line · not JSON · "listening on stdio" · harmless: text is skipped',
    ],
    [
      'protocol-noise',
      { noise: 'not-json', count: 4, total: 11, excerpt: 'GET /' },
      'wrote output that is not MCP · 4 lines · not JSON · "GET /"',
    ],
    [
      'protocol-noise',
      { noise: 'not-json', count: 1, total: 1, excerpt: '{"jsonrpc":"2.0",' },
      'wrote output that is not MCP · 1 line · not JSON · "{"jsonrpc":"2.0","',
    ],
    [
      'protocol-noise',
      { noise: 'cut-off', count: 1, total: 1, excerpt: 'bye' },
      'wrote output that is not MCP · 1 line · cut off · "bye"',
    ],
    ['orphan-reaped', { pids: [331] }, 'leftover process ended · pid 331'],
    [
      'orphan-reaped',
      { pids: [], commands: ['podman'], containers: ['0a00c94d70c7'] },
      'leftover container ended · 0a00c94d70c7 · podman',
    ],
    [
      'config-changed',
      { change: 'edited', fields: ['args', 'env.TOKEN'], restarts: true },
      'configuration changed · args, env.TOKEN · restarts it',
    ],
    ['config-changed', { change: 'edited', fields: ['disabled'], isEnabled: true }, 'enabled'],
    ['config-changed', { change: 'edited', fields: ['disabled'], isEnabled: false }, 'disabled'],
    ['config-changed', { change: 'added' }, 'added to servers.json'],
    ['config-changed', { change: 'removed' }, 'removed from servers.json'],
    [
      'config-changed',
      { change: 'defaults', servers: ['a', 'b'], fields: ['panel.calls.timeoutMs'] },
      'defaults changed · call without progress · for 2 servers',
    ],
    [
      'panel-started',
      { version: '0.1.0', absentMs: 25_200_000 },
      'panel started · 0.1.0 · was not running for 7 h',
    ],
    [
      'panel-started',
      { version: '0.1.0', endedUncleanly: true },
      'panel started · 0.1.0 · had ended without quitting',
    ],
    ['panel-quit', {}, 'panel quit'],
    ['system-resumed', { sleptMs: 25_200_000 }, 'woke from sleep · asleep for 7 h'],
    ['system-resumed', {}, 'woke from sleep'],
    [
      'panel-blocked',
      { durationMs: 1240, currentTask: 'read-output', count: 1 },
      'slowed the panel down · for 1.2 s · reading its messages',
    ],
    ['panel-blocked', { durationMs: 900, count: 7 }, 'slowed the panel down · for 900 ms · 7 times'],
    ['panel-blocked', { currentTask: 'something newer' }, 'slowed the panel down'],
    [
      'server-version-changed',
      { from: '1.0.0', to: '1.1.0' },
      'server version changed · from 1.0.0 to 1.1.0',
    ],
    [
      'client-connected',
      { client: 'cursor', program: 'cursor-vscode 1.0.0', server: 'github' },
      'client connected · cursor · cursor-vscode 1.0.0 · to github',
    ],
    [
      'client-connected',
      { client: 'prometheus', reads: 'metrics' },
      'client connected · prometheus · reads metrics',
    ],
    [
      'client-refused',
      { reason: 'scope', count: 3, client: 'cursor' },
      'client refused · cursor · its token is for other servers · 3 times',
    ],
    ['client-refused', { reason: 'something newer', count: 1 }, 'client refused'],
    ['client-revoked', { client: 'cursor' }, 'client revoked · cursor'],
    [
      'ask-refused',
      { method: 'sampling/createMessage', reason: 'several', count: 100 },
      'question refused · for an answer of a model · several clients had used its process, and it did not say for which one it asked · 100 times',
    ],
    [
      'ask-refused',
      { method: 'elicitation/create', reason: 'undeclared', count: 1, client: 'cursor' },
      'question refused · for input of the user · cursor does not accept such questions',
    ],
    ['ask-refused', { method: 'x/y', reason: 'something newer' }, 'question refused · x/y'],
    [
      'config-rejected',
      { message: 'expected a comma', line: 12, column: 5, path: '/servers.json' },
      'configuration refused · expected a comma · line 12, column 5',
    ],
  ])('%s %j', (kind, detail, words) => expect(say(kind, detail)).toBe(words));

  it('has words for every kind, whatever its detail lacks or distorts', () => {
    const nonsense = {
      pid: 'x',
      message: 7,
      stderrTail: {},
      pendingMethods: 'm',
      limit: [],
      holder: 3,
      delayMs: NaN,
    };
    expect(eventKinds.length).toBeGreaterThan(10);
    for (const kind of eventKinds) {
      expect(say(kind)).toMatch(/^\S/);
      expect(say(kind)).not.toMatch(/undefined|NaN|object/);
      expect(say(kind, nonsense)).not.toMatch(/undefined|NaN|object/);
    }
    for (const { name } of namedEventKinds) expect(name).toMatch(/^[A-Z]/);
    expect(namedEventKinds.map(({ kind }) => kind).sort()).toEqual([...eventKinds].sort());
  });

  it('shows a detail that cannot be read as it was written', () => {
    expect(say('crashed', { exitCode: 'one', cause: 'a "b"' })).toBe(
      'crashed · "{"exitCode":"one","cause":"a \\"b\\""}"',
    );
  });

  it('cuts what a server wrote to one line of bounded length', () => {
    const noise = toldEvent('protocol-noise', { excerpt: `a\n${'b'.repeat(9000)}` });
    const { details } = describeEvent(noise);
    expect(details[0]!.length).toBeLessThan(170);
    expect(details[0]).not.toContain('\n');
  });
});

describe('describeAbsence', () => {
  const events = (['restarted', 'restarted', 'gave-up', 'started'] as const).map((kind, at) =>
    anEvent(String(at), { kind, at }),
  );

  it('counts what is worth a look, worst first', () => {
    expect(describeAbsence(events, 0)).toBe('1 failure, 2 restarts');
    expect(describeAbsence(events, 1)).toBe('1 failure, 1 restart');
    expect(describeAbsence(events, 3)).toBe('');
  });
});

describe('errorAsText', () => {
  it('holds all that a report to someone else needs', () => {
    const error = { code: 'CRASHED', message: 'It ended.', remedy: 'Start it.' } as const;
    expect(errorAsText(error, 'memory')).toBe('memory: It ended.\nCode: CRASHED\nWhat to do: Start it.');
  });
});
