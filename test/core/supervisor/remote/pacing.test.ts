import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { AnswerQueue } from '../../../../electron/core/supervisor/remote/answer-queue.ts';
import { UnansweredRequests } from '../../../../electron/core/supervisor/remote/unanswered-requests.ts';
import { createFakeClock } from '../../fake-clock.ts';

/** A request whose stream has ended with this event, and which was answered. */
function end(requests: UnansweredRequests, eventId: string): void {
  requests.add(1)(eventId);
  requests.take(1);
}

describe('UnansweredRequests', () => {
  it('lets a few pass at once, then four a second, and none that would wait for half a minute', async () => {
    const clock = createFakeClock();
    const requests = new UnansweredRequests(clock);
    let passed = 0;
    let refused = 0;
    for (let index = 0; index < 1000; index += 1) {
      void requests.mayResume(String(index)).then(
        () => (passed += 1),
        () => (refused += 1),
      );
    }
    await clock.advance(0);
    expect([passed, refused]).toEqual([8, 1000 - 8 - 100]);
    await clock.advance(1000);
    expect(passed).toBe(8 + 4);
    await clock.advance(60_000);
    expect(passed).toBe(8 + 100);
  });

  it('leaves no timer behind when it is called off', async () => {
    const clock = createFakeClock();
    const requests = new UnansweredRequests(clock);
    const over = new AbortController();
    const waiting = Array.from({ length: 20 }, (_, index) => requests.mayResume(String(index), over.signal));
    expect(clock.pending).toBe(12);
    over.abort();
    await Promise.all(waiting);
    expect(clock.pending).toBe(0);
  });

  it('continues no stream of a request that is over', async () => {
    const requests = new UnansweredRequests(createFakeClock());
    end(requests, '7');
    await expect(requests.mayResume('7')).rejects.toThrow(/No caller is waiting/);
    await requests.mayResume('8');
  });

  it('remembers a thousand of them', async () => {
    const requests = new UnansweredRequests(createFakeClock());
    for (let id = 0; id <= 1000; id += 1) end(requests, String(id));
    await requests.mayResume('0');
    await expect(requests.mayResume('1')).rejects.toThrow();
  });
});

describe('AnswerQueue', () => {
  it('has four under way, 64 waiting, and refuses the rest', async () => {
    const queue = new AnswerQueue(createFakeClock());
    const gate = createDeferred<void>();
    let sent = 0;
    let refused = 0;
    const send = () =>
      queue.send(() => {
        sent += 1;
        return gate.promise;
      });
    const all = Array.from({ length: 100 }, () => send().catch(() => (refused += 1)));
    expect([sent, queue.isFull]).toEqual([4, true]);
    gate.resolve();
    await Promise.all(all);
    expect([sent, refused, queue.isFull]).toEqual([68, 32, false]);
  });

  it('lets fifty a second leave at length, and leaves no timer behind', async () => {
    const clock = createFakeClock();
    const queue = new AnswerQueue(clock);
    let sent = 0;
    let isOver = false;
    const asker = async () => {
      while (!isOver) await queue.send(() => Promise.resolve(void (sent += 1))).catch(() => (isOver = true));
    };
    const asking = asker();
    await clock.advance(0);
    expect(sent).toBe(100);
    await clock.advance(1000);
    expect(sent).toBe(150);
    queue.close();
    await asking;
    expect(clock.pending).toBe(0);
  });

  it('goes on after an answer that could not be sent', async () => {
    const queue = new AnswerQueue(createFakeClock());
    const fail = () => Promise.reject(new Error('no'));
    for (let index = 0; index < 10; index += 1) await expect(queue.send(fail)).rejects.toThrow('no');
    await queue.send(() => Promise.resolve());
  });
});
