import { describe, expect, it } from 'vitest';
import { type ServerStateView, type ServerView } from '../../../shared/domain.ts';
import type { ErrorData } from '../../../shared/error-data.ts';
import type { Silence } from '../../../shared/domain.ts';
import { matchesSearch } from '../../../renderer/format/server-list.ts';
import {
  describeState,
  describeTrouble,
  explainState,
  tellsLastError,
} from '../../../renderer/format/state-phrases.ts';
import { summarizeServers } from '../../../renderer/views/status-band.tsx';
import { aServer } from '../builders.ts';

const NOW = 1_000_000;
const describeIn = (state: Partial<ServerStateView>, changes: Partial<ServerView> = {}) =>
  describeState(aServer('a', { ...changes, state: { kind: 'running', since: NOW - 4000, ...state } }), NOW);

describe('describeState', () => {
  it('says nothing of a server that simply runs', () => {
    expect(describeIn({})).toBe('');
  });

  it('says what a busy server does', () => {
    const busyWith = (calls: number, oldestMs: number, oldest?: string) =>
      describeIn({}, { busy: { calls, oldestMs, ...(oldest !== undefined && { oldest }) } });
    expect(busyWith(1, 240_000, 'tools/call query')).toBe('busy: "query" for 4 m');
    expect(busyWith(2, 14_000, 'tools/call echo')).toBe('busy: 2 calls, longest "echo" for 14 s');
    expect(busyWith(2, 14_000, 'resources/list')).toBe('busy: 2 calls, longest "resources/list" for 14 s');
    expect(busyWith(1, 240_000)).toBe('busy: 1 call for 4 m');
    expect(busyWith(3, 12_000)).toBe('busy: 3 calls, longest for 12 s');
    expect(describeIn({}, { busy: { calls: 0, oldestMs: 0 } })).toBe('');
  });

  it('says when health is not known', () => {
    expect(describeIn({}, { health: 'unknown' })).toBe('health unknown');
    expect(describeIn({}, { health: 'paused' })).toBe('held by a debugger');
    const host = { kind: 'container', engine: 'far', isOutOfReach: true } as const;
    expect(describeIn({}, { health: 'paused', host })).toBe('engine out of reach');
    expect(describeIn({}, { health: 'ok' })).toBe('');
  });

  it('says what is seen of a server that owes the answer to a check', () => {
    const deaf = { health: 'unknown', unansweredSince: NOW - 42_000 } as const;
    expect(describeIn({}, deaf)).toBe('health unknown, has not answered a check for 42 s');
    expect(describeIn({ kind: 'stopped' }, deaf)).not.toContain('check');
    expect(explainState(aServer('a', deaf))).toMatch(/^It has not answered a health check/);
  });

  it('says that a server computes, and for how long it has not answered', () => {
    const working = { health: 'ok', unansweredSince: NOW - 45_000 } as const;
    expect(describeIn({}, working)).toBe('working, no answer for 45 s');
    expect(explainState(aServer('a', working))).toMatch(/has been computing since/);
    const unseen = { ...working, isUnseen: true } as const;
    expect(describeIn({}, unseen)).toBe('working, no answer for 45 s; its work cannot be seen from here');
    expect(explainState(aServer('a', unseen))).toMatch(/cannot see whether it is busy/);
  });

  it.each([
    ['silent', 1, 'past its deadline, no answer yet'],
    ['computing', 1, 'past its deadline, still computing'],
    ['unseen', 2, 'past its deadline; its work cannot be seen from here'],
    ['answers-checks', 1, 'answers checks, not its last call'],
    ['answers-checks', 3, 'answers checks, not its last 3 calls'],
  ] as const)('says of %s calls past their deadline, %i of them: %s', (what, calls, words) => {
    const overdue = { overdue: { what, calls } };
    expect(describeIn({}, overdue)).toBe(words);
    expect(explainState(aServer('a', overdue))).toMatch(/calls/);
    // What it is at now comes first.
    expect(describeIn({}, { ...overdue, busy: { calls: 1, oldestMs: 5000 } })).toBe('busy: 1 call for 5 s');
  });

  it('says for how long a server at work has been silent', () => {
    const busy = { calls: 1, oldestMs: 240_000, oldest: 'tools/call query', silentMs: 120_000 };
    expect(describeIn({}, { busy })).toBe('busy: "query" for 4 m, silent for 2 m');
  });

  it('explains what its words mean where silence proves nothing', () => {
    const explainIn = (changes: Partial<ServerView>) => explainState(aServer('a', changes));
    expect(explainIn({ health: 'ok' })).toBe('');
    expect(explainIn({ health: 'unknown' })).toMatch(/^This server does not answer health checks/);
    expect(explainIn({ health: 'paused' })).toMatch(/^A debugger has stopped/);
    expect(explainIn({ busy: { calls: 2, oldestMs: 1 } })).toMatch(/^A busy server may be silent/);
    expect(explainIn({ busy: { calls: 0, oldestMs: 0 } })).toBe('');
    expect(explainIn({ state: { kind: 'stopped', since: 0 }, health: 'unknown' })).toBe('');
  });

  it('says behind the name what the message says as a sentence', () => {
    const phrase = 'the command "x" was not found';
    const reason = 'The command "x" was not found. PATH tried: /usr/bin:/bin';
    expect(describeIn({ kind: 'failed', reason, reasonData: { phrase, hasMore: true } })).toBe(
      'the command "x" was not found · down for 4 s',
    );
    expect(describeIn({ kind: 'failed', reason: 'No phrase for this one.' })).toBe(
      'No phrase for this one · down for 4 s',
    );
  });

  it('says which attempt it is while it is started again', () => {
    expect(describeIn({ kind: 'starting' }, { restartAttempt: 2 })).toBe(
      'attempt 2 of 3 · waiting for its handshake… 4 s',
    );
    // The budget was lowered meanwhile.
    expect(describeIn({ kind: 'starting' }, { restartAttempt: 4 })).toMatch(/^attempt 4 of 4/);
  });

  it('says what it waits for, and how long already', () => {
    expect(describeIn({ kind: 'starting' })).toBe('waiting for its handshake… 4 s');
    expect(describeIn({ kind: 'starting', reason: 'installing' })).toBe('installing… 4 s');
    expect(describeIn({ kind: 'stopping' })).toBe('waiting for it to exit… 4 s');
  });

  it('says why, then which attempt is next and when', () => {
    const state = {
      kind: 'backoff',
      nextRetryAt: NOW + 3200,
      reason: 'The server exited with code 1. Its last output: Error: no config.',
      reasonData: {
        phrase: 'exited with code 1. Its last output: Error: no config.',
        brief: 'exited with code 1',
      },
    } as const;
    expect(describeIn(state, { restartAttempt: 1 })).toBe('exited with code 1 · in 3 s · attempt 2 of 3');
    expect(describeIn({ kind: 'backoff' })).toBe('soon · attempt 1 of 3');
  });

  it('keeps the countdown in sight of a long cause', () => {
    const withCause = (brief: string) => {
      const phrase = `${brief} (exited with code 1 before its handshake)`;
      return { reason: phrase, reasonData: { phrase, brief } };
    };
    const told = withCause('Error: no token. Set SLACK_BOT_TOKEN.');
    const long = withCause(`Error: Cannot find module '/home/${'x'.repeat(200)}/index.js'`);
    expect(describeIn({ kind: 'backoff', ...told })).toBe('Error: no token · soon · attempt 1 of 3');
    expect(describeIn({ kind: 'backoff', ...long })).toMatch(
      /^Error: Cannot .{60,70}… · soon · attempt 1 of 3$/,
    );
    expect(describeIn({ kind: 'failed', ...told })).toBe(`${told.reason} · down for 4 s`);
  });

  it('says why it failed, what comes next, and when it was', () => {
    expect(describeIn({ kind: 'failed', reason: 'no such command' })).toBe('no such command · down for 4 s');
    expect(describeIn({ kind: 'failed', nextRetryAt: NOW + 60_000, reason: 'x' })).toBe(
      'x · down for 4 s · tries again in 1 m',
    );
  });

  it('says how long nothing was heard', () => {
    expect(describeIn({ kind: 'stalled' })).toBe('no answer for 4 s');
    // Reasons count to the verdict; four seconds more have passed.
    const judged = (kind: 'stalled' | 'suspect', silence: Silence) =>
      describeIn({ kind, reason: 'as it was then', reasonData: { silence } });
    expect(judged('stalled', { what: 'overdue', forMs: 12_000 })).toBe('call overdue by 16 s');
    expect(judged('stalled', { what: 'stopped', forMs: 9000 })).toBe('stopped by a signal for 13 s');
    expect(judged('stalled', { what: 'no-answer', forMs: 600_000, work: 'computing' })).toBe(
      'no answer for 10 m, computing all the time',
    );
    expect(judged('stalled', { what: 'overdue', forMs: 600_000, work: 'unseen' })).toBe(
      'call overdue by 10 m; its work cannot be seen from here',
    );
    expect(judged('suspect', { what: 'no-answer', forMs: 58_000, isDuringCall: true })).toBe(
      'no answer for 1 m 2 s during a call',
    );
    // Reasons without a count stay as they were told, figures and all.
    expect(describeIn({ kind: 'stalled', reason: 'tool "wait 5 s" hangs' })).toBe('tool "wait 5 s" hangs');
    expect(describeIn({ kind: 'suspect' })).toBe('no answer');
  });

  it('says since when and why it is stopped, unless it never ran', () => {
    expect(describeIn({ kind: 'stopped' })).toBe('4 s ago');
    expect(describeIn({ kind: 'stopped' }, { generation: 0 })).toBe('');
    expect(describeIn({ kind: 'stopped' }, { generation: 0, disabled: true })).toBe(
      'disabled in servers.json',
    );
  });
});

describe('describeTrouble', () => {
  const lastError = {
    code: 'CRASHED',
    message: 'The server exited with code 1. Its last output: no config.',
    data: { phrase: 'exited with code 1. Its last output: no config', brief: 'exited with code 1' },
  } as const;
  const tell = (state: Partial<ServerStateView>, changes: Partial<ServerView> = {}) =>
    describeTrouble(
      aServer('a', { lastError, ...changes, state: { kind: 'failed', since: NOW - 4000, ...state } }),
      NOW,
    );

  it.each<[Partial<ServerStateView>, string]>([
    [
      { nextRetryAt: NOW + 60_000, reason: 'The server exited with code 1.' },
      'exited with code 1. Its last output: no config · tries again in 1 m',
    ],
    [{}, 'exited with code 1. Its last output: no config'],
    [
      { kind: 'backoff', nextRetryAt: NOW + 4000 },
      'exited with code 1. Its last output: no config · in 4 s · attempt 3 of 3',
    ],
    [
      { kind: 'starting' },
      'attempt 2 of 3 · waiting for its handshake… 4 s · exited with code 1. Its last output: no config',
    ],
    [{ kind: 'stalled' }, 'no answer for 4 s'],
  ])('tells the last error in full, and leaves the moment to itself: %j', (state, words) =>
    expect(tell(state, { restartAttempt: 2 })).toBe(words),
  );

  it('has nothing to tell where nothing is known', () => expect(tell({}, { lastError: undefined })).toBe(''));
});

describe('tellsLastError', () => {
  const tells = (kind: ServerStateView['kind'], reason: ErrorData, error: ErrorData) =>
    tellsLastError({
      state: { kind, since: 0, reason: 'in words', reasonData: reason },
      lastError: { code: 'CRASHED', message: 'in words', data: error },
    });
  const exit = { phrase: 'exited with code 1' };
  const words = { phrase: 'exited with code 1. Its last output: no config', brief: exit.phrase };
  const notFound = { phrase: 'the command was not found', hasMore: true } as const;

  it.each<[boolean, ServerStateView['kind'], ErrorData, ErrorData]>([
    [true, 'failed', words, words],
    [true, 'backoff', exit, exit],
    // Restarts leave the last words out, and no line has room for a search path.
    [false, 'backoff', words, words],
    [false, 'failed', notFound, notFound],
    [false, 'failed', exit, words],
    [false, 'running', exit, exit],
  ])('%s: %s because %j, of %j', (isTold, kind, reason, error) =>
    expect(tells(kind, reason, error)).toBe(isTold),
  );

  it('goes by the sentences where there is nothing shorter', () => {
    const state = { kind: 'stalled', since: 0, reason: 'no answer for 6 s' } as const;
    const lastError = { code: 'STALLED', message: 'a does not respond: no answer for 6 s.' } as const;
    const phrase = 'no answer for 6 s';
    expect(tellsLastError({ state, lastError: { ...lastError, data: { phrase } } })).toBe(true);
    expect(tellsLastError({ state, lastError })).toBe(false);
  });

  it('tells nothing of what did not happen', () =>
    expect(tellsLastError({ state: { kind: 'failed', since: 0 } })).toBe(false));
});

describe('summarizeServers', () => {
  it.each([
    [[], 'No servers', ''],
    [['running'], 'All fine', ''],
    [['stopped'], '1 stopped', ''],
    [['running', 'running', 'running'], 'All 3 fine', ''],
    [['stopped', 'stopped'], 'All 2 stopped', ''],
    [['running', 'stopped', 'running', 'starting'], '2 fine, 1 stopped, 1 starting', ''],
    [['backoff', 'running', 'failed', 'running'], '1 failed, 1 restarting', '2 fine'],
    [['stalled', 'suspect', 'stopped'], '1 not responding, 1 suspect', '1 stopped'],
    [[...Array.from({ length: 24 }, () => 'running' as const), 'unstable'], '24 fine, 1 unstable', ''],
    [['unstable'], '1 unstable', ''],
    [['unstable', 'running', 'failed'], '1 failed, 1 unstable', '1 fine'],
  ] as const)('%j: %s', (kinds, words, rest) => {
    expect(summarizeServers(kinds)).toMatchObject({ words, rest });
  });

  it('shows the worst shape that needs attention, else the best', () => {
    expect(summarizeServers(['running', 'backoff', 'failed']).shape).toBe('failed');
    expect(summarizeServers(['stopped', 'running']).shape).toBe('running');
    expect(summarizeServers(['running', 'unstable']).shape).toBe('unstable');
    expect(summarizeServers([]).shape).toBeUndefined();
  });
});

describe('matchesSearch', () => {
  const server = aServer('github', { target: 'docker run mcp', state: { kind: 'stalled', since: 0 } });

  it.each([
    ['', true],
    ['GIT', true],
    ['not resp', true],
    ['docker git', true],
    ['git npx', false],
    ['restarting', false],
  ])('%j: %s', (search, isMatch) => expect(matchesSearch(server, search)).toBe(isMatch));
});
