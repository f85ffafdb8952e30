import { describe, expect, it } from 'vitest';
import { OpenReplies } from '../../../../electron/core/gateway/http/open-replies.ts';
import type { OpenReply } from '../../../../electron/core/gateway/http/reply.ts';
import { createFakeClock } from '../../fake-clock.ts';

/** Responses that are over when they are due, or after what the test does then. */
function bench() {
  const clock = createFakeClock();
  const replies = new OpenReplies({ clock, maxUnreadBytes: 0, onUnread: () => undefined });
  const ran: string[] = [];
  const beganAtMs = clock.now();
  const add = (name: string, delayMs: number, act?: () => void) => {
    const end = () => replies.over(reply);
    const reply: OpenReply = {
      client: { id: name, name, scopes: [] },
      dueAtMs: clock.now() + delayMs,
      onDue: () => {
        end();
        if (act) act();
        else ran.push(`${name} at ${clock.now() - beganAtMs}`);
      },
      drop: end,
    };
    replies.begin(reply);
    return { end };
  };
  return { clock, replies, ran, add };
}

describe('open responses', () => {
  it('each act when they are due, whatever order they came in, on one timer of the clock', async () => {
    const { clock, ran, add } = bench();
    add('late', 300);
    add('early', 100);
    add('middle', 200);
    expect(clock.pending).toBe(1);
    await clock.advance(1000);
    expect(ran).toEqual(['early at 100', 'middle at 200', 'late at 300']);
    expect(clock.pending).toBe(0);
  });

  it('that are over leave the timer, which goes off for those that are left or for none', async () => {
    const { clock, ran, add } = bench();
    const first = add('first', 100);
    add('second', 150);
    first.end();
    const third = add('third', 170);
    await clock.advance(150);
    expect(ran).toEqual(['second at 150']);
    third.end();
    await clock.advance(20);
    expect(ran).toEqual(['second at 150']);
    expect(clock.pending).toBe(0);
  });

  it('that another one ends do not act, and those that it opens do when they are due', async () => {
    const { clock, ran, add } = bench();
    add('first', 100, () => {
      other.end();
      add('added', 50);
    });
    const other = add('other', 100);
    await clock.advance(200);
    expect(ran).toEqual(['added at 150']);
  });

  it('are closed at the end, with nothing left behind', async () => {
    const { clock, replies, ran, add } = bench();
    add('never', 100);
    replies.dispose();
    expect(clock.pending).toBe(0);
    await clock.advance(200);
    expect(ran).toEqual([]);
  });
});
