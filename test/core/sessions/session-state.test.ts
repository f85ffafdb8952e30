import { describe, expect, it } from 'vitest';
import {
  nextSessionState,
  type SessionEvent,
  type SessionState,
} from '../../../electron/core/sessions/session-state.ts';

const connection = 'the connection';
const cause = new Error('cause');

const states: Record<SessionState<string>['kind'], SessionState<string>> = {
  connecting: { kind: 'connecting' },
  open: { kind: 'open', connection },
  closing: { kind: 'closing', cause },
  closed: { kind: 'closed' },
};
const events: Record<SessionEvent<string>['kind'], SessionEvent<string>> = {
  connected: { kind: 'connected', connection },
  failed: { kind: 'failed' },
  end: { kind: 'end', cause },
  ended: { kind: 'ended' },
};

/** Changes of state. Every pair that is not listed changes nothing. */
const changes: [keyof typeof states, keyof typeof events, keyof typeof states][] = [
  ['connecting', 'connected', 'open'],
  ['connecting', 'failed', 'closed'],
  ['connecting', 'end', 'closing'],
  ['open', 'end', 'closing'],
  ['closing', 'ended', 'closed'],
];

describe('nextSessionState', () => {
  it.each(changes)('%s, %s: %s', (from, event, to) => {
    expect(nextSessionState(states[from], events[event])).toEqual(states[to]);
  });

  it('ignores every other event', () => {
    let ignored = 0;
    for (const state of Object.values(states)) {
      for (const event of Object.values(events)) {
        if (changes.some(([from, kind]) => from === state.kind && kind === event.kind)) continue;
        expect(nextSessionState(state, event)).toBe(state);
        ignored += 1;
      }
    }
    expect(ignored).toBe(4 * 4 - changes.length);
  });
});
