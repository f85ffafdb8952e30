import { describe, expect, it } from 'vitest';
import { CallersInFlight } from '../../../../electron/core/gateway/upstream/callers-in-flight.ts';
import { ElicitationOwners } from '../../../../electron/core/gateway/upstream/fan-out.ts';
import { FanOut } from '../../../../electron/core/gateway/upstream/fan-out.ts';
import { LevelArbiter } from '../../../../electron/core/gateway/upstream/log-levels.ts';
import { SubscriptionCounter } from '../../../../electron/core/gateway/upstream/subscriptions.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { asLong } from '../../long-message.ts';
import { FakeReply } from '../session/fake-reply.ts';
import { channel, FakeLink } from './one-link.ts';

const turns = () => new Promise((resolve) => setImmediate(resolve));

function bench() {
  const clock = createFakeClock();
  const link = new FakeLink();
  const callers = new CallersInFlight(link, () => false);
  const levels = new LevelArbiter();
  const subscriptions = new SubscriptionCounter();
  subscriptions.attach(link);
  const elicitations = new ElicitationOwners();
  const [ana, ben] = [channel('ana'), channel('ben')];
  const parts = { clock, callers, levels, subscriptions, elicitations };
  const fanOut = new FanOut({ ...parts, sessions: () => [ana, ben] });
  fanOut.attach(link);
  const notify = (method: string, params?: Record<string, unknown>) =>
    link.notified.emit({ method, ...(params && { params }) });
  return { ...parts, link, ana, ben, fanOut, notify };
}

const log = { level: 'error', data: 'SELECT of ana' };

describe('what a server tells', () => {
  it('as a log is left out where the client wants less of it, and lost where the client is gone', () => {
    const { callers, levels, ana, ben, notify } = bench();
    const reply = new FakeReply();
    callers.begin({ session: ana.facts, reply });
    levels.set('ana', 'error');
    notify('notifications/message', { ...log, level: 'info' });
    expect(reply.streamed).toEqual([]);
    reply.isOpen = false;
    notify('notifications/message', log);
    expect([reply.streamed, ana.owed, ben.owed]).toEqual([[], [], []]);
  });

  it('at length arrives whole, at the session that was calling when it came', async () => {
    const { callers, link, ana, ben } = bench();
    const [reply, other] = [new FakeReply(), new FakeReply()];
    callers.begin({ session: ana.facts, reply });
    const params = { level: 'info', data: Array.from({ length: 6000 }, (_, index) => index) };
    const long = asLong({ jsonrpc: '2.0', method: 'notifications/message', params });
    link.notified.emit({ method: 'notifications/message', params: { level: 'info' }, long });
    callers.begin({ session: ben.facts, reply: other });
    await expect.poll(() => reply.streamed.length).toBe(1);
    expect(reply.streamed[0]?.params).toEqual(params);
    expect(other.streamed).toEqual([]);
  });

  it('of a resource goes to its subscribers alone, also without a call in flight', async () => {
    const { subscriptions, ana, ben, notify } = bench();
    await subscriptions.subscribe(ben, 'file:///a');
    notify('notifications/resources/updated', { uri: 'file:///a' });
    notify('notifications/resources/updated', { uri: 'file:///b' });
    const updated = {
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: 'file:///a' },
    };
    expect([ana.owed, ben.owed]).toEqual([[], [updated]]);
  });

  it('of a question that was answered elsewhere goes to the session that was asked', () => {
    const { elicitations, ana, ben, notify } = bench();
    elicitations.note('e1', 'ben');
    elicitations.noteAll({ elicitations: [{ elicitationId: 'e2' }, null, { elicitationId: 7 }] }, 'ana');
    for (const elicitationId of ['e1', 'e2', 'e3', undefined])
      notify('notifications/elicitation/complete', { elicitationId });
    const complete = (elicitationId: string) => ({
      jsonrpc: '2.0',
      method: 'notifications/elicitation/complete',
      params: { elicitationId },
    });
    expect(ana.owed).toEqual([complete('e2')]);
    expect(ben.owed).toEqual([complete('e1')]);
  });

  it('of its lists is not passed on as it comes, but once for all sessions when they were read', async () => {
    const { fanOut, clock, ana, ben, notify, callers } = bench();
    const reply = new FakeReply();
    callers.begin({ session: ana.facts, reply });
    notify('notifications/tools/list_changed');
    await clock.advance(1000);
    expect([ana.owed, reply.streamed]).toEqual([[], []]);
    fanOut.listChanged('tools');
    fanOut.listChanged('tools');
    fanOut.listChanged('prompts');
    await clock.advance(1000);
    const changed = ['tools', 'prompts'].map((list) => ({
      jsonrpc: '2.0',
      method: `notifications/${list}/list_changed`,
    }));
    expect([ana.owed, ben.owed]).toEqual([changed, changed]);
    fanOut.listChanged('tools');
    fanOut.dispose();
    expect(clock.pending).toBe(0);
  });

  it('that is none of these goes where a log would go', async () => {
    const { callers, ana, ben, notify } = bench();
    notify('notifications/x');
    await turns();
    expect([ana.owed, ben.owed]).toEqual([[], []]);
    const reply = new FakeReply();
    callers.begin({ session: ana.facts, reply });
    notify('notifications/x');
    expect(reply.streamed).toEqual([{ jsonrpc: '2.0', method: 'notifications/x' }]);
  });
});

describe('an elicitation id', () => {
  it('that two sessions were given belongs to nobody, and the oldest are forgotten', () => {
    const owners = new ElicitationOwners();
    owners.note('same', 'ana');
    owners.note('same', 'ana');
    expect(owners.ownerOf('same')).toBe('ana');
    owners.note('same', 'ben');
    owners.note('same', 'ben');
    expect(owners.ownerOf('same')).toBeUndefined();
    owners.note(7, 'ana');
    for (let index = 0; index < 1000; index += 1) owners.note(`e${index}`, 'ana');
    owners.note('more', 'ana');
    expect([owners.ownerOf('e0'), owners.ownerOf('e999')]).toEqual([undefined, 'ana']);
  });
});
