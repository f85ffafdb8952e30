import { describe, expect, it } from 'vitest';
import { Interrupted, Interruption } from '../../scripts/lib/interruption.mjs';

/** Interruption with a clock of its own, and a command that records what is asked of it. */
function setUp({ isPatient = false } = {}) {
  const outside = { nowMs: 0, exitCodes: [], told: [], asked: [] };
  const interruption = new Interruption({
    now: () => outside.nowMs,
    exit: (code) => outside.exitCodes.push(code),
  });
  const command = {
    name: 'npm ci',
    isPatient,
    end: () => outside.asked.push('end'),
    kill: () => outside.asked.push('kill'),
  };
  const request = (signal) => interruption.request(signal, (message) => outside.told.push(message));
  return { outside, interruption, command, request };
}

describe('Interruption', () => {
  it('exits at once, as shells count, when nothing runs', () => {
    const { outside, request } = setUp();
    request('SIGINT');
    expect(outside.exitCodes).toEqual([130]);
  });

  it('ends what runs, and lets nothing after it begin or end well', async () => {
    const { outside, interruption, command, request } = setUp();
    const during = interruption.during(
      () => command,
      async () => request('SIGTERM'),
    );
    await expect(during).rejects.toBeInstanceOf(Interrupted);
    const next = interruption.during(
      () => expect.unreachable(),
      async () => 'done',
    );
    await expect(next).rejects.toBeInstanceOf(Interrupted);
    expect(outside).toMatchObject({ exitCodes: [], asked: ['end'] });
    expect(interruption.exitCode).toBe(143);
  });

  it('takes what follows within half a second for the echo that npm makes, and the next for a second Ctrl-C', async () => {
    const { outside, interruption, command, request } = setUp();
    const during = interruption.during(
      () => command,
      async () => {
        request('SIGINT');
        outside.nowMs = 400;
        request('SIGINT');
        expect(outside.asked).toEqual(['end']);
        outside.nowMs = 600;
        request('SIGINT');
      },
    );
    await expect(during).rejects.toBeInstanceOf(Interrupted);
    expect(outside.asked).toEqual(['end', 'kill']);
    expect(outside.told).toEqual(['stopping npm ci; Ctrl-C again kills it']);
  });

  it('is of no account to what has ended before', async () => {
    const { outside, interruption, command, request } = setUp();
    expect(
      await interruption.during(
        () => command,
        async () => 'done',
      ),
    ).toBe('done');
    request('SIGHUP');
    expect(outside).toMatchObject({ exitCodes: [129], asked: [] });
  });
});
