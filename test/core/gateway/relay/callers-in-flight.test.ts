import { describe, expect, it } from 'vitest';
import { CallersInFlight } from '../../../../electron/core/gateway/relay/callers-in-flight.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeReply, sessionFacts } from './one-link.ts';

const ana = sessionFacts('ana');
const ben = sessionFacts('ben');

function bench() {
  const clock = createFakeClock();
  let calls = 0;
  const callers = new CallersInFlight({ clock, callsOnLink: () => calls, lingerMs: 1000 });
  return { clock, callers, setCalls: (count: number) => (calls = count) };
}

describe('the sole caller of a link', () => {
  it('is the session whose calls are in flight, with its newest response first', () => {
    const { callers } = bench();
    expect(callers.sole()).toBe('nobody');
    const [first, second] = [new FakeReply(), new FakeReply()];
    const ending = callers.begin({ session: ana, reply: first });
    callers.begin({ session: { ...ana }, reply: second });
    expect(callers.sole()).toEqual({ session: ana, replies: [second, first] });
    ending.answered();
    ending.answered();
    expect(callers.sole()).toEqual({ session: ana, replies: [second] });
  });

  it('is nobody while two sessions call, also two of one client', () => {
    const { callers } = bench();
    callers.begin({ session: ana, reply: new FakeReply() });
    const other = callers.begin({ session: { ...ana, nonce: 'ana2' }, reply: new FakeReply() });
    expect(callers.sole()).toBe('several');
    other.answered();
    expect(callers.sole()).toMatchObject({ session: ana });
  });

  it('is nobody while the window calls over the same link', () => {
    const { callers, setCalls } = bench();
    setCalls(1);
    expect(callers.sole()).toBe('several');
    callers.begin({ session: ana, reply: new FakeReply() });
    expect(callers.sole()).toMatchObject({ session: ana });
    setCalls(2);
    expect(callers.sole()).toBe('several');
  });

  it('is not the next one while the server may still speak for a call that was abandoned', async () => {
    const { callers, clock } = bench();
    const left = callers.begin({ session: ana, reply: new FakeReply() });
    left.abandoned();
    const reply = new FakeReply();
    callers.begin({ session: ben, reply });
    await clock.advance(999);
    expect(callers.sole()).toBe('several');
    await clock.advance(1);
    expect(callers.sole()).toEqual({ session: ben, replies: [reply] });
    expect(callers.size).toBe(1);
  });

  it('is found again at once when the abandoned call is answered, or when it was its own', () => {
    const { callers, clock, setCalls } = bench();
    const left = callers.begin({ session: ana, reply: new FakeReply() });
    left.abandoned();
    left.abandoned();
    callers.begin({ session: ana, reply: new FakeReply() });
    setCalls(1);
    expect(callers.sole()).toMatchObject({ session: ana });
    left.answered();
    expect([callers.size, clock.pending]).toEqual([1, 0]);
    left.abandoned();
    expect(clock.pending).toBe(0);
  });

  it('leaves no timer when the link ends', () => {
    const { callers, clock } = bench();
    callers.begin({ session: ana, reply: new FakeReply() }).abandoned();
    callers.dispose();
    expect([callers.size, clock.pending]).toEqual([0, 0]);
  });
});
