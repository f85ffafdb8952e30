import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { SubscriptionCounter } from '../../../../electron/core/gateway/upstream/subscriptions.ts';
import { RpcError } from '../../../../electron/core/mcp/rpc-error.ts';
import { channel, FakeLink } from './one-link.ts';

const updated = (uri: string) => ({
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri },
});
const turns = () => new Promise((resolve) => setImmediate(resolve));

function bench() {
  const counter = new SubscriptionCounter();
  const link = new FakeLink();
  counter.attach(link);
  return { counter, link, ana: channel('ana'), ben: channel('ben') };
}

describe('subscriptions to the resources of a server', () => {
  it('are asked for once, and ended with the last who leaves', async () => {
    const { counter, link, ana, ben } = bench();
    await counter.subscribe(ana, 'file:///a');
    await counter.subscribe(ana, 'file:///a');
    await counter.subscribe(ben, 'file:///a');
    await counter.unsubscribe(ana, 'file:///a');
    await counter.unsubscribe(ana, 'file:///a');
    expect(link.heard).toEqual(['resources/subscribe file:///a']);
    await counter.unsubscribe(ben, 'file:///a');
    expect(link.heard).toEqual(['resources/subscribe file:///a', 'resources/unsubscribe file:///a']);
    expect(counter.size).toBe(0);
  });

  it('are calls of their clients, but for what the panel repeats or ends for itself', async () => {
    const { counter, link, ana } = bench();
    await counter.subscribe(ana, 'file:///a');
    const next = new FakeLink({});
    counter.attach(next);
    await turns();
    counter.forget('ana');
    await turns();
    expect(link.ownQuestions).toEqual([]);
    expect(next.ownQuestions).toEqual(['resources/subscribe', 'resources/unsubscribe']);
  });

  it('are told to their subscribers alone, also of a part of what they subscribed to', async () => {
    const { counter, ana, ben } = bench();
    await counter.subscribe(ana, 'file:///a');
    await counter.subscribe(ben, 'file:///b/');
    const told = (uri: unknown) => counter.subscribersOf(uri).map(({ facts }) => facts.nonce);
    expect(told('file:///a')).toEqual(['ana']);
    expect(told('file:///a/part')).toEqual(['ana']);
    expect(told('file:///ab')).toEqual([]);
    expect(told('file:///b/part')).toEqual(['ben']);
    expect(told(undefined)).toEqual([]);
    counter.forget('ana');
    await turns();
    expect(told('file:///a')).toEqual([]);
    expect(counter.size).toBe(1);
  });

  it('are restored in the next run of the server, each once', async () => {
    const { counter, link, ana, ben } = bench();
    await counter.subscribe(ana, 'file:///a');
    await counter.subscribe(ben, 'file:///a');
    await counter.subscribe(ben, 'file:///b');
    await counter.unsubscribe(ben, 'file:///b');
    link.end();
    const next = new FakeLink({});
    counter.attach(next);
    counter.attach(next);
    await turns();
    expect(next.heard).toEqual(['resources/subscribe file:///a']);
    expect(counter.subscribersOf('file:///a')).toEqual([ana, ben]);
  });

  it('that outlive their link owe each subscriber one change, once the next server knows of them', async () => {
    const { counter, link, ana, ben } = bench();
    await counter.subscribe(ana, 'file:///a');
    await counter.subscribe(ben, 'file:///a');
    await counter.subscribe(ben, 'file:///b');
    expect([ana.owed, ben.owed]).toEqual([[], []]);
    link.end();
    const next = new FakeLink({});
    const gate = createDeferred<Record<string, unknown>>();
    next.answer = () => gate.promise;
    counter.attach(next);
    await turns();
    // A change between the word to the client and the one to the server would be lost.
    expect([ana.owed, ben.owed]).toEqual([[], []]);
    gate.resolve({});
    await turns();
    expect(ana.owed).toEqual([updated('file:///a')]);
    expect(ben.owed).toEqual([updated('file:///a'), updated('file:///b')]);
    const cleo = channel('cleo');
    await counter.subscribe(cleo, 'file:///a');
    await counter.subscribe(ana, 'file:///a');
    counter.attach(next);
    await turns();
    expect([ana.owed, ben.owed, cleo.owed].map(({ length }) => length)).toEqual([1, 2, 0]);
  });

  it('that a new run refuses owe their change with the run that takes them, and none to who has left', async () => {
    const { counter, ana, ben } = bench();
    await counter.subscribe(ana, 'file:///a');
    await counter.subscribe(ben, 'file:///a');
    const second = new FakeLink({});
    second.answer = () => Promise.reject(new RpcError(-32002, 'not yet'));
    counter.attach(second);
    await turns();
    counter.forget('ben');
    expect(ana.owed).toEqual([]);
    counter.attach(new FakeLink({}));
    await turns();
    expect([ana.owed, ben.owed]).toEqual([[updated('file:///a')], []]);
  });

  it('that the server refuses are not counted; the refusal is the caller’s', async () => {
    const { counter, link, ana } = bench();
    const refusal = new RpcError(-32002, 'Resource not found');
    link.answer = () => Promise.reject(refusal);
    await expect(counter.subscribe(ana, 'file:///a')).rejects.toBe(refusal);
    expect([counter.size, counter.subscribersOf('file:///a')]).toEqual([0, []]);
  });

  it('end as the last word was, however long the server takes', async () => {
    const { counter, link, ana } = bench();
    const gate = createDeferred<Record<string, unknown>>();
    link.answer = () => gate.promise;
    const first = counter.subscribe(ana, 'file:///a');
    const second = counter.unsubscribe(ana, 'file:///a');
    const third = counter.subscribe(ana, 'file:///a');
    await turns();
    expect(link.heard).toEqual(['resources/subscribe file:///a']);
    gate.resolve({});
    await Promise.all([first, second, third]);
    // Nothing was ever asked twice in a row, and the last state is the one that was wanted last.
    expect(link.heard.at(-1)).toBe('resources/subscribe file:///a');
    expect(counter.subscribersOf('file:///a')).toEqual([ana]);
  });

  it('of who comes back while the server is being told of the end are asked for after it', async () => {
    const { counter, link, ana } = bench();
    await counter.subscribe(ana, 'file:///a');
    const gate = createDeferred<Record<string, unknown>>();
    link.answer = () => gate.promise;
    const left = counter.unsubscribe(ana, 'file:///a');
    await turns();
    const back = counter.subscribe(ana, 'file:///a');
    await turns();
    expect(link.heard).toHaveLength(2);
    gate.resolve({});
    await Promise.all([left, back]);
    expect(link.heard.map((line) => line.split(' ')[0])).toEqual([
      'resources/subscribe',
      'resources/unsubscribe',
      'resources/subscribe',
    ]);
    expect(counter.size).toBe(1);
  });

  it('are bounded for each session, and need a server that runs', async () => {
    const { counter, ana, ben } = bench();
    for (let index = 0; index < 1000; index += 1) await counter.subscribe(ana, `file:///${index}`);
    await expect(counter.subscribe(ana, 'file:///more')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await counter.subscribe(ana, 'file:///1');
    await counter.subscribe(ben, 'file:///more');
    const idle = new SubscriptionCounter();
    await expect(idle.subscribe(ana, 'file:///a')).rejects.toMatchObject({ code: 'STOPPED' });
    expect(idle.size).toBe(0);
  });
});
