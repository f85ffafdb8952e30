import { describe, expect, it, vi } from 'vitest';
import type { CallOutcome, OfferInTexts } from '../../../shared/domain.ts';
import { createInspectorStore } from '../../../renderer/store/inspector-store.ts';
import { atTime } from '../at-time.ts';
import { anOfferInTexts } from '../builders.ts';

describe('the inspector store', () => {
  const request = { method: 'tools/call', params: { name: 'echo' } } as const;

  function setUp() {
    atTime(5);
    const callIds: string[] = [];
    const timeouts: (number | undefined)[] = [];
    const cancelled: string[] = [];
    const answers: { resolve: (outcome: CallOutcome) => void; reject: (reason: unknown) => void }[] = [];
    let offers: () => Promise<OfferInTexts> = async () => anOfferInTexts({ tools: [{ name: 'echo' }] });
    const store = createInspectorStore('one', {
      getOfferTexts: () => offers(),
      callServer: ({ callId, timeoutMs }) => {
        callIds.push(callId);
        timeouts.push(timeoutMs);
        return new Promise((resolve, reject) => answers.push({ resolve, reject }));
      },
      cancelCall: async (callId) => void cancelled.push(callId),
    });
    const tick = (ms: number) => vi.setSystemTime(Date.now() + ms);
    return {
      store,
      callIds,
      timeouts,
      cancelled,
      answers,
      tick,
      setOffers: (next: typeof offers) => (offers = next),
    };
  }

  it('lists, and keeps what it had when that fails', async () => {
    const { store, setOffers } = setUp();
    await store.list();
    expect(store.state.getState().items).toHaveLength(1);
    setOffers(async () => {
      throw Object.assign(new Error('It does not run.'), { code: 'STOPPED' });
    });
    await store.list();
    expect(store.state.getState()).toMatchObject({ offerError: { code: 'STOPPED' }, isListing: false });
    expect(store.state.getState().items).toHaveLength(1);
  });

  it('knows which lists failed until they come', async () => {
    const { store, setOffers } = setUp();
    const failures = [{ list: 'tools', error: { code: 'REQUEST_TIMEOUT', message: 'No answer.' } }] as const;
    setOffers(async () => anOfferInTexts({ prompts: [{ name: 'p' }], failures: [...failures] }));
    await store.list();
    expect(store.state.getState()).toMatchObject({ items: [{ key: 'prompt p' }], failures });
    setOffers(async () => anOfferInTexts());
    await store.list();
    expect(store.state.getState().failures).toEqual([]);
  });

  it('keeps the last outcome of each item', async () => {
    const { store, answers } = setUp();
    const call = store.call('tool echo', request);
    expect(store.state.getState().calls.get('tool echo')).toMatchObject({ phase: 'pending', since: 5 });
    void store.call('tool echo', request);
    expect(answers).toHaveLength(1);
    answers[0]!.resolve({ result: { content: [] }, durationMs: 7 });
    await call;
    expect(store.state.getState().calls.get('tool echo')).toMatchObject({
      phase: 'done',
      outcome: { durationMs: 7 },
    });
    const again = store.call('tool echo', request);
    answers[1]!.reject({ code: 'CRASHED', message: 'It ended.' });
    await again;
    expect(store.state.getState().calls.get('tool echo')).toMatchObject({
      phase: 'failed',
      error: { code: 'CRASHED' },
    });
  });

  it('hands on the time limit of a call, and none where none was set', () => {
    const { store, timeouts } = setUp();
    void store.call('tool a', { ...request, timeoutMs: 2500 });
    void store.call('tool b', request);
    expect(timeouts).toEqual([2500, undefined]);
  });

  it('gives every call an id of its own, for progress and for cancelling', () => {
    const { store, callIds, cancelled } = setUp();
    void store.call('tool a', request);
    void store.call('tool b', request);
    expect(new Set(callIds).size).toBe(2);
    store.progressed({ callId: callIds[1]!, progress: 1, total: 4 });
    store.progressed({ callId: 'of another window', progress: 1 });
    const { calls } = store.state.getState();
    expect(calls.get('tool a')).not.toHaveProperty('progress');
    expect(calls.get('tool b')).toMatchObject({ progress: { progress: 1, total: 4 } });
    store.cancel('tool b');
    store.cancel('tool of nothing');
    expect(cancelled).toEqual([callIds[1]]);
    expect(store.state.getState().calls.get('tool b')).toMatchObject({ isCancelling: true });
  });

  it('takes a call that was cancelled here for no failure, and any other end for one', async () => {
    const { store, answers, tick } = setUp();
    const cancelled = { code: 'CANCELLED', message: 'The call was cancelled.' };
    const endsOf = async (key: string, isAskedFor: boolean, reason: unknown) => {
      const ended = store.call(key, request);
      tick(400);
      if (isAskedFor) store.cancel(key);
      answers.at(-1)!.reject(reason);
      await ended;
      return store.state.getState().calls.get(key);
    };
    expect(await endsOf('tool a', true, cancelled)).toEqual({ phase: 'cancelled', at: 405, afterMs: 400 });
    expect(await endsOf('tool a', false, cancelled)).toMatchObject({ phase: 'failed', error: cancelled });
    const crashed = { code: 'CRASHED', message: 'It ended.' };
    expect(await endsOf('tool b', true, crashed)).toMatchObject({ phase: 'failed', error: crashed });
  });
});
