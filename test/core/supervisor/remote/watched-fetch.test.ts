import { describe, expect, it } from 'vitest';
import { HttpRefusal } from '../../../../electron/core/supervisor/remote/remote-errors.ts';
import { createWatchedFetch } from '../../../../electron/core/supervisor/remote/watched-fetch.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { readHere } from '../../long-message.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-01-01T00:00:00Z');
const ignore = () => undefined;

/** Time that a POST answered with this Retry-After is to wait, as its refusal says. */
async function retryAfterMsOf(retryAfter: string | undefined): Promise<number | undefined> {
  const clock = createFakeClock(NOW);
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  const watched = createWatchedFetch({
    fetch: () => Promise.resolve(new Response(null, { status: 429, headers })),
    clock,
    wallClock: clock,
    reader: readHere,
    onBytes: ignore,
    onMalformed: ignore,
    onUnreadableAnswer: ignore,
    standInFor: () => '',
    mayResume: () => Promise.resolve(),
    onListening: ignore,
    onListeningEnded: ignore,
    onListenFailed: ignore,
    onReplyEnded: ignore,
  });
  const failure: unknown = await watched('http://127.0.0.1/mcp', { method: 'POST' }).catch(
    (error: unknown) => error,
  );
  if (failure instanceof HttpRefusal) return failure.retryAfterMs;
  throw new Error('the request was not refused');
}

describe('createWatchedFetch: Retry-After', () => {
  it.each<[string, string | undefined, number | undefined]>([
    ['is absent when the server does not say', undefined, undefined],
    ['is absent when it is empty', ' ', undefined],
    ['is absent when it is neither seconds nor a date', 'soon', undefined],
    ['is taken in seconds', '20', 20_000],
    ['is taken as a date', 'Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['is now for a date that has passed', 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['may be an hour', '3600', HOUR_MS],
    ['is an hour at most', '3601', HOUR_MS],
    ['is an hour for more than a timer can wait', '3000000', HOUR_MS],
    ['is an hour for more than a number can hold', '9'.repeat(400), HOUR_MS],
    ['is an hour for a date in the next century', 'Fri, 01 Jan 2100 00:00:00 GMT', HOUR_MS],
  ])('%s', async (_name, header, expected) => {
    expect(await retryAfterMsOf(header)).toBe(expected);
  });
});
