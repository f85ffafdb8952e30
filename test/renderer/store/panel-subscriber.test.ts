import { describe, expect, it } from 'vitest';
import type { Push, Snapshot } from '../../../shared/domain.ts';
import { subscribeToPanel } from '../../../renderer/store/panel-subscriber.ts';
import { aPush, aSnapshot } from '../builders.ts';
import { openQuestions } from '../open-answer.ts';

/** A main process that answers when the test says so, and a log of what reached the state. */
function setUp() {
  const { asked: requests, ask, answer, refuse } = openQuestions<void, Snapshot>();
  const listeners = new Set<(push: Push) => void>();
  const scheduled: { task: () => void; delayMs: number; isCancelled: boolean }[] = [];
  const applied: string[] = [];
  const failures: unknown[] = [];
  const dispose = subscribeToPanel({
    getSnapshot: () => ask(),
    onPush: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    applySnapshot: ({ sequence }) => applied.push(`snapshot ${sequence}`),
    applyPush: ({ sequence }) => applied.push(`push ${sequence}`),
    reportFailure: (reason) => failures.push(reason),
    schedule: (task, delayMs) => {
      const entry = { task, delayMs, isCancelled: false };
      scheduled.push(entry);
      return () => (entry.isCancelled = true);
    },
  });
  return {
    requests,
    listeners,
    scheduled,
    applied,
    failures,
    dispose,
    push: (...sequences: number[]) => {
      for (const sequence of sequences) for (const listener of listeners) listener(aPush(sequence));
    },
    answer: (index: number, sequence: number) => answer(index, aSnapshot(sequence)),
    refuse,
  };
}

describe('subscribeToPanel', () => {
  it('asks for a snapshot, then applies pushes in sequence', async () => {
    const panel = setUp();
    await panel.answer(0, 4);
    panel.push(5, 6);
    expect(panel.applied).toEqual(['snapshot 4', 'push 5', 'push 6']);
    expect(panel.requests).toHaveLength(1);
  });

  it('keeps pushes that arrive before the snapshot, and drops those it already holds', async () => {
    const panel = setUp();
    panel.push(3, 4, 5, 6);
    expect(panel.applied).toEqual([]);
    await panel.answer(0, 4);
    expect(panel.applied).toEqual(['snapshot 4', 'push 5', 'push 6']);
  });

  it('ignores a push that it has applied before', async () => {
    const panel = setUp();
    await panel.answer(0, 4);
    panel.push(5, 5, 4);
    expect(panel.applied).toEqual(['snapshot 4', 'push 5']);
    expect(panel.requests).toHaveLength(1);
  });

  it('asks for one new snapshot at a gap, however many pushes follow it', async () => {
    const panel = setUp();
    await panel.answer(0, 4);
    panel.push(5, 7, 8);
    expect(panel.requests).toHaveLength(2);
    expect(panel.applied).toEqual(['snapshot 4', 'push 5']);
    await panel.answer(1, 7);
    expect(panel.applied).toEqual(['snapshot 4', 'push 5', 'snapshot 7', 'push 8']);
    panel.push(9);
    expect(panel.applied.at(-1)).toBe('push 9');
    expect(panel.requests).toHaveLength(2);
  });

  it('asks again when the pushes that waited have a hole of their own', async () => {
    const panel = setUp();
    panel.push(5, 7);
    await panel.answer(0, 4);
    expect(panel.applied).toEqual(['snapshot 4', 'push 5']);
    expect(panel.requests).toHaveLength(2);
    await panel.answer(1, 6);
    expect(panel.applied).toEqual(['snapshot 4', 'push 5', 'snapshot 6', 'push 7']);
  });

  it('lets go of the oldest waiting pushes when a snapshot takes for ever, and heals', async () => {
    const panel = setUp();
    panel.push(...Array.from({ length: 300 }, (_, index) => index + 1));
    await panel.answer(0, 0);
    expect(panel.applied).toEqual(['snapshot 0']);
    expect(panel.requests).toHaveLength(2);
    await panel.answer(1, 300);
    panel.push(301);
    expect(panel.applied).toEqual(['snapshot 0', 'snapshot 300', 'push 301']);
  });

  it('reports a failed snapshot, and tries again by itself, one request at a time', async () => {
    const panel = setUp();
    await panel.refuse(0, { code: 'PROTOCOL_ERROR', message: 'no' });
    expect(panel.failures).toEqual([{ code: 'PROTOCOL_ERROR', message: 'no' }]);
    panel.push(1, 2);
    expect(panel.requests).toHaveLength(1);
    panel.scheduled[0]!.task();
    expect(panel.requests).toHaveLength(2);
    await panel.answer(1, 1);
    expect(panel.applied).toEqual(['snapshot 1', 'push 2']);
  });

  it('applies nothing after it was disposed, and leaves nothing behind', async () => {
    const panel = setUp();
    await panel.refuse(0, 'no');
    panel.dispose();
    panel.dispose();
    expect(panel.listeners.size).toBe(0);
    expect(panel.scheduled.every((entry) => entry.isCancelled)).toBe(true);
    panel.scheduled[0]!.task();
    expect(panel.requests).toHaveLength(1);
    expect(panel.applied).toEqual([]);
  });

  it('drops a snapshot that arrives after it was disposed', async () => {
    const panel = setUp();
    panel.dispose();
    await panel.answer(0, 4);
    await panel.answer(0, 4);
    expect(panel.applied).toEqual([]);
  });
});
