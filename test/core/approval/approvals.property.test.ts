import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Approvals } from '../../../electron/core/approval/approvals.ts';
import type { DecisionsFile } from '../../../electron/core/approval/decisions-file.ts';
import { defaultPanelSettings } from '../../../shared/panel-settings.ts';
import { createFakeClock } from '../fake-clock.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const TIMEOUT_MS = 60_000;
const known = { digest: 'd', description: 'It deletes.', isMarked: true };

async function bench(ask: 'marked' | 'all' | 'never' = 'all', tools?: Record<string, boolean>) {
  const clock = createFakeClock();
  let written: unknown = [];
  const file = {
    read: () => Promise.resolve([]),
    write: (decisions: unknown) => Promise.resolve(void (written = decisions)),
  } as unknown as DecisionsFile;
  let count = 0;
  const approvals = await Approvals.open({
    ...{ clock, wallClock: clock, file, createId: () => `q${(count += 1)}` },
    redact: (text) => text.replaceAll('hush', '[redacted]'),
    notice: () => undefined,
  });
  const check = (clientId: string, changes: object = {}, signal = new AbortController().signal) => {
    const call = {
      clientId,
      clientName: clientId,
      server: 'one',
      settings: {
        approval: { ask, tools },
        calls: { ...defaultPanelSettings.calls, timeoutMs: TIMEOUT_MS },
      },
      tool: 'rm',
      known,
      arguments: { a: 'hush' },
    };
    const approval = approvals.check({ ...call, signal, ...changes });
    if (approval instanceof Promise) approval.catch(() => undefined);
    return approval;
  };
  return { approvals, clock, check, written: () => written };
}

it('asks only where a person wants it, and for what may destroy or is unknown', async () => {
  const harmless = { known: { ...known, isMarked: false } };
  expect((await bench('never')).check('a')).toBeUndefined();
  const { check } = await bench('marked');
  expect(check('a', harmless)).toBeUndefined();
  expect(check('a')).toBeInstanceOf(Promise);
  expect(check('a', { known: undefined })).toBeInstanceOf(Promise);
  expect((await bench('all')).check('a', harmless)).toBeInstanceOf(Promise);
  expect((await bench('never', { rm: true })).check('a', harmless)).toBeInstanceOf(Promise);
  expect((await bench('all', { rm: false })).check('a')).toBeUndefined();
  expect((await bench('all', { constructor: false })).check('a', { tool: 'toString' })).toBeInstanceOf(
    Promise,
  );
});

it('a quarter of an hour ends, another digest asks again, and what nobody knows is asked for each time', async () => {
  const { approvals, clock, check } = await bench();
  const first = check('a');
  await approvals.answer('q1', '15-min');
  await expect(first).resolves.toBe('15-min');
  expect(check('a')).toBe('15-min');
  expect(check('a', { known: { ...known, digest: 'other' } })).toBeInstanceOf(Promise);
  clock.tick(15 * 60_000);
  expect(check('a')).toBeInstanceOf(Promise);
  const unknown = await bench();
  void unknown.check('a', { known: undefined });
  await unknown.approvals.answer('q1', 'always');
  expect(unknown.check('a', { known: undefined })).toBeInstanceOf(Promise);
});

it('shows no secret of the arguments', async () => {
  const { approvals, check } = await bench();
  void check('a');
  expect(approvals.waiting[0]?.arguments).toContain('[redacted]');
});

/** What may happen to a crowd of calls, in any order. */
const happening = fc.oneof(
  fc.record({ kind: fc.constant('call' as const), client: fc.constantFrom('a', 'b') }),
  fc.record({
    kind: fc.constant('answer' as const),
    index: fc.nat(8),
    decision: fc.constantFrom('once' as const, '15-min' as const, 'always' as const, 'refuse' as const),
  }),
  fc.record({ kind: fc.constant('leave' as const), index: fc.nat(8) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1000, TIMEOUT_MS) }),
);

it('lets no call run without an answer, and none twice, whatever comes first', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 30 }), async (happenings) => {
      const { approvals, clock, check } = await bench();
      const calls: { runs: number; refusals: number; leave: AbortController }[] = [];
      const yes = new Set<string>();
      for (const one of happenings) {
        if (one.kind === 'call') {
          const call = { runs: 0, refusals: 0, leave: new AbortController() };
          calls.push(call);
          const approval = check(one.client, {}, call.leave.signal);
          // A call passes at once only where a person said so for its client.
          if (!(approval instanceof Promise)) expect(yes.has(one.client)).toBe(true);
          void Promise.resolve(approval).then(
            () => (call.runs += 1),
            () => (call.refusals += 1),
          );
        } else if (one.kind === 'answer') {
          const asked = approvals.waiting[one.index];
          if (asked && ['always', '15-min'].includes(one.decision)) yes.add(asked.client);
          if (asked) await approvals.answer(asked.id, one.decision);
        } else if (one.kind === 'leave') calls[one.index]?.leave.abort();
        else clock.tick(one.ms);
        await Promise.resolve();
      }
      const waiting = approvals.waiting.length;
      approvals.dispose();
      await new Promise<void>((resolve) => void setImmediate(resolve));
      expect(approvals.waiting).toEqual([]);
      for (const { runs, refusals } of calls) expect(runs + refusals).toBe(1);
      expect(calls.filter(({ refusals }) => refusals > 0).length).toBeGreaterThanOrEqual(waiting);
    }),
    { numRuns: propertyRuns(100) },
  );
});
