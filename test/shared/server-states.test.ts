import { describe, expect, it } from 'vitest';
import {
  commandsFor,
  needsAttention,
  serverCommands,
  severityOrder,
  shownState,
  stateKinds,
  stateWords,
} from '../../shared/server-states.ts';
import { stateTable } from './state-table.ts';

it('the table of what is shown has every state', () => {
  const rows = stateKinds.flatMap((kind) => [0, 1].map((attempt) => `${kind} ${attempt}`));
  expect(stateTable.map(({ kind, restartAttempt }) => `${kind} ${restartAttempt}`).sort()).toEqual(
    rows.sort(),
  );
});

describe('stateWords', () => {
  it('are the words of the contract', () => {
    expect(stateWords).toEqual({
      stopped: 'Stopped',
      starting: 'Starting',
      running: 'Running',
      suspect: 'Suspect',
      stalled: 'Not responding',
      backoff: 'Restarting',
      stopping: 'Stopping',
      failed: 'Failed',
      asleep: 'Asleep',
    });
  });
});

describe('severityOrder', () => {
  it('leaves no state out', () => {
    expect([...severityOrder].sort()).toEqual([...stateKinds].sort());
  });

  it('has everything that needs attention before everything that does not', () => {
    const needed = severityOrder.filter(needsAttention);
    expect(severityOrder.slice(0, needed.length)).toEqual(needed);
  });

  it('calls nothing a problem that somebody wanted', () => {
    expect(stateKinds.filter(needsAttention)).toEqual(['suspect', 'stalled', 'backoff', 'failed']);
  });
});

describe('shownState', () => {
  it('shows a server that is being started again as restarting, a first start as a start', () => {
    expect(shownState({ state: { kind: 'starting' }, restartAttempt: 1 })).toBe('backoff');
    expect(shownState({ state: { kind: 'starting' }, restartAttempt: 0 })).toBe('starting');
  });

  it('shows every other state as it is, whatever happened before', () => {
    for (const kind of stateKinds.filter((one) => one !== 'starting'))
      expect(shownState({ state: { kind }, restartAttempt: 2 })).toBe(kind);
  });
});

describe('commandsFor', () => {
  it.each([
    ['start', ['stopped', 'backoff', 'failed', 'asleep']],
    ['stop', ['starting', 'running', 'suspect', 'stalled', 'backoff', 'asleep']],
    ['restart', ['stopped', 'running', 'suspect', 'stalled', 'backoff', 'failed', 'asleep']],
  ] as const)('%s applies in %j', (command, states) => {
    expect(stateKinds.filter((kind) => commandsFor({ state: { kind } })[command])).toEqual(states);
  });

  it('leaves something to do in every state but the end of a stop', () => {
    const isStuck = (kind: (typeof stateKinds)[number]) =>
      !serverCommands.some((command) => commandsFor({ state: { kind } })[command]);
    expect(stateKinds.filter(isStuck)).toEqual(['stopping']);
  });
});
