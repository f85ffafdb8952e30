import { describe, expect, it } from 'vitest';
import { CallersInFlight } from '../../../../electron/core/gateway/upstream/callers-in-flight.ts';
import { LinkCallers } from '../../../../electron/core/mcp/link-callers.ts';
import { FakeReply, sessionFacts } from './one-link.ts';

const ana = sessionFacts('ana');

function bench() {
  const link = { callers: new LinkCallers() };
  const listening = new Set<string>();
  return { link, listening, callers: new CallersInFlight(link, (nonce) => listening.has(nonce)) };
}

describe('the sole caller of a link', () => {
  it('is the session whose calls are in flight, with its newest response first', () => {
    const { callers } = bench();
    expect(callers.sole()).toBe('nobody');
    const [first, second] = [new FakeReply(), new FakeReply()];
    const end = callers.begin({ session: ana, reply: first });
    callers.begin({ session: { ...ana }, reply: second });
    expect(callers.sole()).toEqual({ session: ana, replies: [second, first] });
    end();
    end();
    expect(callers.sole()).toEqual({ session: ana, replies: [second] });
  });

  it('is nobody while another session of the same client calls, or has called and is still there', () => {
    const { callers, listening } = bench();
    const end = callers.begin({ session: ana, reply: new FakeReply() });
    const second = { ...ana, nonce: 'ana2' };
    const reply = new FakeReply();
    callers.begin({ session: second, reply });
    expect(callers.sole()).toBe('several');
    end();
    listening.add('ana');
    expect(callers.sole()).toBe('several');
    listening.clear();
    expect(callers.sole()).toEqual({ session: second, replies: [reply] });
  });

  it('is nobody where another one called over the link before this place knew it', () => {
    const { callers, link } = bench();
    link.callers.note('window');
    callers.begin({ session: ana, reply: new FakeReply() });
    expect(callers.sole()).toBe('several');
  });

  it('stays the sole one after it gave a call up: that mutes nobody', () => {
    const { callers } = bench();
    callers.begin({ session: ana, reply: new FakeReply() })();
    const reply = new FakeReply();
    callers.begin({ session: ana, reply });
    expect(callers.sole()).toEqual({ session: ana, replies: [reply] });
  });
});
