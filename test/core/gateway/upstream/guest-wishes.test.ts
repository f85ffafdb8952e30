import { describe, expect, it } from 'vitest';
import { LevelArbiter } from '../../../../electron/core/gateway/upstream/log-levels.ts';
import { SubscriptionCounter } from '../../../../electron/core/gateway/upstream/subscriptions.ts';
import { channel, FakeLink } from './one-link.ts';

const turns = () => new Promise((resolve) => setImmediate(resolve));
const [ana, ben] = [channel('ana'), channel('ben')];

describe('what a session wants of its server', () => {
  it('is its own level, none where it asked for none, and none once it has left', () => {
    const levels = new LevelArbiter();
    levels.set('ana', 'debug');
    expect([levels.wishOf('ana'), levels.wishOf('ben')]).toEqual(['debug', undefined]);
    levels.forget('ana');
    expect(levels.wishOf('ana')).toBeUndefined();
  });

  it('is what it subscribed to, and nothing of others', async () => {
    const counter = new SubscriptionCounter();
    counter.attach(new FakeLink());
    await counter.subscribe(ana, 'file:///a');
    await counter.subscribe(ana, 'file:///both');
    await counter.subscribe(ben, 'file:///both');
    expect(counter.of('ana')).toEqual(['file:///a', 'file:///both']);
    expect(counter.of('ben')).toEqual(['file:///both']);
    expect(counter.of('cleo')).toEqual([]);
  });
});

describe('subscriptions that a session brings along', () => {
  it('are told to the server that is there, and to the next one', async () => {
    const counter = new SubscriptionCounter();
    const link = new FakeLink();
    counter.attach(link);
    counter.adopt(ana, ['file:///a']);
    await turns();
    expect(link.heard).toEqual(['resources/subscribe file:///a']);
    const next = new FakeLink();
    link.end();
    counter.attach(next);
    await turns();
    expect(next.heard).toEqual(['resources/subscribe file:///a']);
    expect(counter.subscribersOf('file:///a')).toEqual([ana]);
  });

  it('owe it a change, because what it came from told it nothing any more', async () => {
    const [counter, cleo] = [new SubscriptionCounter(), channel('cleo')];
    counter.adopt(cleo, ['file:///a']);
    await turns();
    expect(cleo.owed).toEqual([]);
    counter.attach(new FakeLink());
    await turns();
    const params = { uri: 'file:///a' };
    expect(cleo.owed).toEqual([{ jsonrpc: '2.0', method: 'notifications/resources/updated', params }]);
  });

  it('wait for a server that is not there yet, and outlive its refusal', async () => {
    const counter = new SubscriptionCounter();
    counter.adopt(ana, ['file:///a']);
    await turns();
    const refusing = new FakeLink();
    refusing.answer = () => Promise.reject(new Error('no'));
    counter.attach(refusing);
    await turns();
    expect(counter.of('ana')).toEqual(['file:///a']);
    counter.forget('ana');
    await turns();
    expect(counter.size).toBe(0);
  });
});
