import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  backToLive,
  canStep,
  chooseLive,
  goBack,
  initialSpan,
  comparedShiftMs,
  liveSpans,
  showMoment,
  spanBetween,
  stepBy,
  zoomOut,
  zoomTo,
  type SpanState,
} from '../../../renderer/store/span-choice.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/units.ts';
const NOW = 1_800_000_000_000;
const anHourAgo = { from: NOW - 2 * HOUR_MS, to: NOW - HOUR_MS };
const spanOf = ({ choice }: SpanState) => (choice.kind === 'still' ? choice.span : undefined);

describe('the choice of a span', () => {
  it('goes back step by step through what was zoomed to, and then follows the time as before', () => {
    const day = chooseLive(DAY_MS);
    const wide = zoomTo(day, { from: NOW - 9 * HOUR_MS, to: NOW - 3 * HOUR_MS }, NOW);
    const near = zoomTo(wide, anHourAgo, NOW);
    expect(spanOf(near)).toEqual(anHourAgo);
    expect(spanOf(goBack(near))).toEqual({ from: NOW - 9 * HOUR_MS, to: NOW - 3 * HOUR_MS });
    expect(goBack(goBack(near))).toEqual(day);
    expect(backToLive(near)).toEqual(day);
  });

  it('shows twice as much when it zooms out, and nothing that is still to come', () => {
    const out = zoomOut(initialSpan, anHourAgo, NOW);
    expect(spanOf(out)).toEqual({ from: NOW - 2.5 * HOUR_MS, to: NOW - 0.5 * HOUR_MS });
    expect(spanOf(zoomOut(out, { from: NOW - HOUR_MS, to: NOW }, NOW))?.to).toBe(NOW);
  });

  it('takes a span whichever end was dragged first, and none too short to show a curve', () => {
    expect(spanBetween(90_000, 30_000)).toEqual({ from: 30_000, to: 90_000 });
    expect(spanBetween(50_000, 52_000)).toEqual({ from: 46_000, to: 56_000 });
  });

  it('has no step beyond the present, and none beyond what is kept', () => {
    expect(canStep({ from: NOW - HOUR_MS, to: NOW }, 'later', NOW)).toBe(false);
    expect(canStep(anHourAgo, 'later', NOW)).toBe(true);
    expect(canStep({ from: NOW - 90 * DAY_MS, to: NOW - 89 * DAY_MS }, 'earlier', NOW)).toBe(false);
  });

  it('has no step to before the first record', () => {
    expect(canStep(anHourAgo, 'earlier', NOW, NOW - 3 * HOUR_MS)).toBe(true);
    expect(canStep(anHourAgo, 'earlier', NOW, anHourAgo.from)).toBe(false);
  });

  it('steps by its whole length, or by a part of it', () => {
    expect(spanOf(stepBy(initialSpan, anHourAgo, 'earlier', NOW))?.to).toBe(anHourAgo.from);
    expect(spanOf(stepBy(initialSpan, anHourAgo, 'earlier', NOW, 0.5))?.to).toBe(NOW - 1.5 * HOUR_MS);
  });

  it('shows a moment where it is in view, in the hour that goes on, or with half an hour on either side', () => {
    const zoomed = zoomTo(initialSpan, anHourAgo, NOW);
    expect(showMoment(zoomed, NOW - 1.5 * HOUR_MS, NOW)).toBe(zoomed);
    expect(showMoment(zoomed, NOW - 60_000, NOW).choice).toEqual({ kind: 'live', spanMs: HOUR_MS });
    expect(spanOf(showMoment(chooseLive(DAY_MS), NOW - 5 * HOUR_MS, NOW))).toEqual({
      from: NOW - 5.5 * HOUR_MS,
      to: NOW - 4.5 * HOUR_MS,
    });
  });

  it('is compared with the time before, or with a week earlier', () => {
    expect(comparedShiftMs('none', anHourAgo)).toBeUndefined();
    expect(comparedShiftMs('before', anHourAgo)).toBe(HOUR_MS);
    expect(comparedShiftMs('week', anHourAgo)).toBe(7 * DAY_MS);
  });

  it('stays within the kept past and the present, keeps its order, and always finds the way back to live', () => {
    const step = fc.oneof(
      fc.tuple(
        fc.constant('zoom' as const),
        fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      ),
      fc.constantFrom(['out'] as const, ['earlier'] as const, ['later'] as const, ['back'] as const),
    );
    fc.assert(
      fc.property(fc.constantFrom(...liveSpans), fc.array(step, { maxLength: 60 }), ({ spanMs }, steps) => {
        let state: SpanState = chooseLive(spanMs);
        for (const [kind, parts] of steps) {
          const shown = spanOf(state) ?? { from: NOW - spanMs, to: NOW };
          const at = (part: number) => shown.from + part * (shown.to - shown.from);
          if (kind === 'zoom') state = zoomTo(state, { from: at(parts[0]), to: at(parts[1]) }, NOW);
          else if (kind === 'out') state = zoomOut(state, shown, NOW);
          else if (kind === 'back') state = goBack(state);
          else state = stepBy(state, shown, kind, NOW);
          const span = spanOf(state);
          if (span === undefined) continue;
          expect(span.to - span.from).toBeGreaterThanOrEqual(10_000 - 1);
          expect(span.to).toBeLessThanOrEqual(NOW);
          expect(span.from).toBeGreaterThanOrEqual(NOW - 90 * DAY_MS - 1);
        }
        expect(state.before.length).toBeLessThanOrEqual(30);
        expect(backToLive(state).choice).toEqual({ kind: 'live', spanMs });
      }),
    );
  });
});
