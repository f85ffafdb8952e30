import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedConnection, effectOf } from '../../../renderer/editor/save-effect.ts';
import { stateKinds, type StateKind } from '../../../shared/server-states.ts';
import { connectionFields, serverEntrySchema, toServerConfig } from '../../../shared/server-config.ts';

const npx = { command: 'npx', args: ['-y', 'x'] };
const effect = (before: object, after: object, state: StateKind = 'running') =>
  effectOf({
    before: { name: 'github', entry: { ...before } },
    after: { name: 'github', entry: { ...after } },
    state,
  }).words;

describe('effectOf()', () => {
  it('tells which change restarts a server, and what did it', () => {
    expect(effect(npx, { ...npx, command: 'uvx' })).toBe('This restarts github: command changed');
    expect(effect(npx, { command: 'uvx', cwd: '/' })).toBe(
      'This restarts github: command, arguments and working folder changed',
    );
    const runOn = { engine: 'docker', context: 'far' };
    expect(effect(npx, { ...npx, panel: { runOn } })).toBe('This restarts github: the engine changed');
    expect(effect(npx, { url: 'https://a.example' })).toBe('This restarts github: transport changed');
    const there = { engine: 'kubernetes', deployment: 'api' };
    expect(effect({ url: 'http://a' }, { url: 'http://a', panel: { runOn: there } })).toBe(
      'This restarts github: the cluster changed',
    );
  });

  it('restarts nothing that does not run', () => {
    expect(effect(npx, { command: 'uvx' }, 'stopped')).toBe(
      'Takes effect at the next start: command and arguments changed',
    );
  });

  it('says that a failed server is started, because the new entry is tried at once', () => {
    expect(effect(npx, { command: 'uvx', args: ['x'] }, 'failed')).toBe(
      'This starts github: command and arguments changed',
    );
    expect(effect(npx, { ...npx, command: 'uvx' }, 'backoff')).toBe('This starts github: command changed');
  });

  it('knows of each state what a changed connection does in it', () => {
    // `ServerSupervisor.configure` does nothing while a server is down, and gives a restart in every other state.
    const before = { name: 'github', entry: npx };
    const after = { name: 'github', entry: { ...npx, command: 'uvx' } };
    expect(
      Object.fromEntries(stateKinds.map((state) => [state, effectOf({ before, after, state }).kind])),
    ).toEqual({
      stopped: 'live',
      stopping: 'live',
      asleep: 'live',
      starting: 'restart',
      running: 'restart',
      suspect: 'restart',
      stalled: 'restart',
      backoff: 'start',
      failed: 'start',
    } satisfies Record<StateKind, string>);
  });

  it('says that a server failed by a setting gets another chance when the setting changes', () => {
    const before = { name: 'github', entry: npx };
    const after = { name: 'github', entry: { ...npx, panel: { limits: { maxMemoryMiB: 2048 } } } };
    const saving = { before, after, state: 'failed' } as const;
    expect(effectOf({ ...saving, failure: 'LIMIT_BREACHED' })).toEqual({
      kind: 'start',
      words: 'This starts github again: limits changed',
    });
    expect(effectOf({ ...saving, failure: 'START_FAILED' }).kind).toBe('live');
    expect(effectOf({ ...saving, state: 'running', failure: 'LIMIT_BREACHED' }).kind).toBe('live');
  });

  it('says whether a renamed server starts, which its new name decides', () => {
    const rename = (entry: object, state: StateKind) =>
      effectOf({
        before: { name: 'github', entry: { ...entry } },
        after: { name: 'gh', entry: { ...entry } },
        state,
      }).words;
    expect(rename(npx, 'stopped')).toBe('Renames github to gh and starts it');
    expect(rename({ ...npx, disabled: true }, 'stopped')).toBe('Renames github to gh');
    expect(rename({ ...npx, panel: { autoStart: false } }, 'running')).toBe(
      'Renames github to gh: it is stopped',
    );
  });

  it('applies supervision live', () => {
    expect(effect(npx, { ...npx, panel: { limits: { maxMemoryMiB: 1 } } })).toBe('Applies without a restart');
    expect(effect(npx, { ...npx, panel: { caps: { memoryMiB: 64 } } })).toBe(
      'This restarts github: caps changed',
    );
    expect(effect({ url: 'https://a.example' }, { url: 'https://a.example', type: 'http' })).toBe(
      'Applies without a restart',
    );
  });

  it('knows what is no change at all', () => {
    expect(effect(npx, { args: ['-y', 'x'], command: 'npx' })).toBe('Nothing has changed');
  });

  it('tells of disabling, enabling, renaming and adding', () => {
    expect(effect(npx, { ...npx, disabled: true })).toBe('Stops github and disables it');
    expect(effect({ ...npx, disabled: true }, npx, 'stopped')).toBe('Enables github and starts it');
    const before = { name: 'github', entry: npx };
    expect(effectOf({ before, after: { name: 'gh', entry: npx }, state: 'running' }).words).toBe(
      'Renames github to gh: it is stopped and started again',
    );
    const added = (entry: object) =>
      effectOf({ before: undefined, after: { name: 'gh', entry: { ...entry } }, state: undefined }).words;
    expect(added(npx)).toBe('Adds gh and starts it');
    expect(added({ ...npx, panel: { autoStart: false } })).toBe('Adds gh; it starts by hand only');
    expect(added({ ...npx, disabled: true })).toBe('Adds gh, disabled');
  });

  it('repeats nothing that is no name, which may be a pasted secret', () => {
    const after = { name: '```json { "env": { "API_KEY": "sk-a" } }', entry: npx };
    expect(effectOf({ before: undefined, after, state: undefined }).words).toBe(
      'Adds the server and starts it',
    );
    expect(effectOf({ before: { name: 'github', entry: npx }, after, state: 'stopped' }).words).toBe(
      'Renames github and starts it',
    );
  });
});

describe('changedConnection()', () => {
  it('agrees with what the main process restarts for', () => {
    const texts = fc.dictionary(fc.constantFrom('A', 'B'), fc.constantFrom('1', '2'));
    const stdio = fc.record(
      {
        command: fc.constantFrom('npx', 'uvx'),
        args: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
        env: texts,
        cwd: fc.constantFrom('/x', '/y'),
        panel: fc.record({ autoStart: fc.boolean() }),
      },
      { requiredKeys: ['command'] },
    );
    const remote = fc.record(
      {
        url: fc.constantFrom('https://a.example', 'https://b.example'),
        headers: texts,
        type: fc.constantFrom('http', 'sse'),
        tls: fc.record(
          { verify: fc.boolean(), caFile: fc.constantFrom('/x', '/y'), note: fc.constantFrom('1', '2') },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['url'] },
    );
    const entry = fc.oneof(stdio, remote);
    const fieldsOf = (raw: unknown) =>
      connectionFields(toServerConfig('a', serverEntrySchema.parse(raw), (cwd) => cwd));
    fc.assert(
      fc.property(entry, entry, (one, other) => {
        const isSame = JSON.stringify(sortKeys(fieldsOf(one))) === JSON.stringify(sortKeys(fieldsOf(other)));
        expect(changedConnection({ ...one }, { ...other }).length === 0).toBe(isSame);
      }),
    );
  });
});

const sortKeys = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sortKeys(inner)]),
      );
