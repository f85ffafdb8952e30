import { describe, expect, it } from 'vitest';
import {
  initialState,
  isUp,
  nextState,
  sleeps,
  wasStopped,
  type LifecycleEvent,
  type LifecycleState,
} from '../../../electron/core/supervisor/server-lifecycle.ts';

const generation = 7;
const states = {
  stopped: { kind: 'stopped', generation },
  starting: { kind: 'starting', generation, trigger: 'command' },
  running: { kind: 'running', generation },
  suspect: { kind: 'suspect', generation },
  stalledEnding: { kind: 'stalled', generation, isEnding: true },
  stalledLeft: { kind: 'stalled', generation, isEnding: false },
  toStopped: { kind: 'stopping', generation, next: 'stopped' },
  toStarting: { kind: 'stopping', generation, next: 'starting' },
  toVerdict: { kind: 'stopping', generation, next: 'verdict' },
  toAsleep: { kind: 'stopping', generation, next: 'asleep' },
  asleep: { kind: 'asleep', generation },
  backoff: { kind: 'backoff', generation, delayMs: 500 },
  failed: { kind: 'failed', generation },
  failedSlow: { kind: 'failed', generation, slowRetryMs: 900 },
} as const satisfies Record<string, LifecycleState>;
type StateName = keyof typeof states;

const retry = { kind: 'retry', delayMs: 500 } as const;
const events = {
  start: { kind: 'start' },
  stop: { kind: 'stop' },
  restart: { kind: 'restart' },
  sleep: { kind: 'sleep', isInUse: false },
  sleepInUse: { kind: 'sleep', isInUse: true },
  retryDue: { kind: 'retryDue', generation },
  ready: { kind: 'ready', generation },
  suspected: { kind: 'suspected', generation },
  recovered: { kind: 'recovered', generation },
  failedRetry: { kind: 'failed', generation, after: retry },
  failedGiveUp: { kind: 'failed', generation, after: { kind: 'give-up' } },
  failedSlow: { kind: 'failed', generation, after: { kind: 'give-up', slowRetryMs: 900 } },
  stallEnding: { kind: 'stallConfirmed', generation, isEnding: true },
  stallLeft: { kind: 'stallConfirmed', generation, isEnding: false },
  limitStop: { kind: 'limitBreached', generation, next: 'stopped' },
  limitVerdict: { kind: 'limitBreached', generation, next: 'verdict' },
  gone: { kind: 'gone', generation },
  goneRetry: { kind: 'gone', generation, after: retry },
} as const satisfies Record<string, LifecycleEvent>;
type EventName = keyof typeof events;

/**
 * Effects of each event in each state. A pair that is not named changes nothing. `start+` is the next
 * generation.
 */
const newStart = { command: 'start+command', retry: 'start+retry', slow: 'start+slow-retry' } as const;
type Outcome = StateName | (typeof newStart)[keyof typeof newStart];
const whileUp = {
  stop: 'toStopped',
  restart: 'toStarting',
  failedRetry: 'backoff',
  failedGiveUp: 'failed',
  failedSlow: 'failedSlow',
  stallEnding: 'stalledEnding',
  limitStop: 'toStopped',
  limitVerdict: 'toVerdict',
} as const;
const table: Record<StateName, Partial<Record<EventName, Outcome>>> = {
  stopped: { start: newStart.command, restart: newStart.command },
  starting: {
    stop: 'toStopped',
    restart: 'toStarting',
    ready: 'running',
    failedRetry: 'backoff',
    failedGiveUp: 'failed',
    failedSlow: 'failedSlow',
  },
  running: { ...whileUp, sleep: 'toAsleep', suspected: 'suspect', stallLeft: 'stalledLeft' },
  suspect: { ...whileUp, suspected: 'suspect', recovered: 'running', stallLeft: 'stalledLeft' },
  stalledLeft: { ...whileUp, start: 'toStarting', recovered: 'running' },
  stalledEnding: { start: 'toStarting', restart: 'toStarting', stop: 'toStopped', goneRetry: 'backoff' },
  toStopped: { start: 'toStarting', restart: 'toStarting', gone: 'stopped', goneRetry: 'stopped' },
  toStarting: { stop: 'toStopped', gone: newStart.command, goneRetry: newStart.command },
  toVerdict: {
    start: 'toStarting',
    restart: 'toStarting',
    stop: 'toStopped',
    gone: 'stopped',
    goneRetry: 'backoff',
  },
  toAsleep: {
    start: 'toStarting',
    restart: 'toStarting',
    stop: 'toStopped',
    gone: 'asleep',
    goneRetry: 'asleep',
  },
  asleep: { start: newStart.command, restart: newStart.command, stop: 'toStopped' },
  backoff: {
    start: newStart.command,
    restart: newStart.command,
    stop: 'toStopped',
    retryDue: newStart.retry,
  },
  failed: { start: newStart.command, restart: newStart.command, stop: 'toStopped', retryDue: newStart.slow },
  failedSlow: {
    start: newStart.command,
    restart: newStart.command,
    stop: 'toStopped',
    retryDue: newStart.slow,
  },
};

function stateOf(outcome: Outcome): LifecycleState {
  if (outcome in states) return states[outcome as StateName];
  const trigger = outcome.slice('start+'.length) as 'command' | 'retry' | 'slow-retry';
  return { kind: 'starting', generation: generation + 1, trigger };
}

const stateNames = Object.keys(states) as StateName[];
const eventNames = Object.keys(events) as EventName[];

describe('nextState', () => {
  it.each(stateNames)('of %s is what the table says, for every event', (stateName) => {
    for (const eventName of eventNames) {
      const outcome = table[stateName][eventName];
      const after = nextState(states[stateName], events[eventName]);
      if (outcome === undefined) expect(after, eventName).toBe(states[stateName]);
      else expect(after, eventName).toEqual(stateOf(outcome));
    }
  });

  it.each(stateNames)('of %s does not change by events of another generation', (stateName) => {
    for (const event of Object.values(events)) {
      if (!('generation' in event)) continue;
      for (const other of [generation - 1, generation + 1]) {
        expect(nextState(states[stateName], { ...event, generation: other })).toBe(states[stateName]);
      }
    }
  });

  it('reaches every kind of state, and the table names no other', () => {
    const kinds = new Set(
      Object.values(table).flatMap((row) => Object.values(row).map((to) => stateOf(to).kind)),
    );
    const all = 'asleep backoff failed running stalled starting stopped stopping suspect';
    expect([...kinds].sort().join(' ')).toBe(all);
  });
});

describe('a state', () => {
  it.each([
    [
      'is up from the handshake until somebody begins to end the run',
      isUp,
      ['running', 'suspect', 'stalledLeft'],
    ],
    ['was stopped from the wish for a stop until the next start', wasStopped, ['stopped', 'toStopped']],
    [
      'sleeps from the beginning of the sleep until something wakes it or stops it',
      sleeps,
      ['toAsleep', 'asleep'],
    ],
  ])('%s', (_name, holds, expected) => {
    const held = Object.entries(states).filter(([, state]) => holds(state));
    expect(held.map(([name]) => name)).toEqual(expected);
  });

  it('was not stopped before its first start', () => {
    expect(wasStopped(initialState)).toBe(false);
  });
});
