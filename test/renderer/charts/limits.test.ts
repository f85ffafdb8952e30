import { describe, expect, it } from 'vitest';
import type { EventDetail, PanelEvent } from '../../../shared/events.ts';
import { limitSpansOf } from '../../../renderer/charts/limits.ts';
import { anEvent } from '../builders.ts';

const changed = (
  at: number,
  fields: readonly string[],
  more: { server?: string | null; detail?: EventDetail<'config-changed'> } = {},
) => anEvent(`changed-${at}`, { at, kind: 'config-changed', detail: { change: 'edited', fields }, ...more });
const breached = (at: number, limit: string, max: number) =>
  anEvent(`breached-${at}`, { at, kind: 'limit-breached', detail: { limit, value: max + 1, max } });
const spansOf = (...events: PanelEvent[]) => limitSpansOf(events, 'memory', 'maxMemoryMiB', 500);

describe('limitSpansOf', () => {
  it('takes the limit of now for that of all times when nothing has changed it', () => {
    expect(spansOf()).toEqual([{ from: -Infinity, to: Infinity, value: 500 }]);
    expect(spansOf(breached(10, 'memory', 500))).toEqual([{ from: -Infinity, to: Infinity, value: 500 }]);
  });

  it('says nothing of the time before a change in which no event told the limit', () => {
    expect(spansOf(changed(100, ['panel.limits.maxMemoryMiB']))).toEqual([
      { from: 100, to: Infinity, value: 500 },
    ]);
  });

  it('knows a former limit from an event of its time', () => {
    const change = changed(100, ['panel.limits.maxMemoryMiB']);
    expect(spansOf(breached(40, 'memory', 180), change, breached(150, 'memory', 500))).toEqual([
      { from: -Infinity, to: 100, value: 180 },
      { from: 100, to: Infinity, value: 500 },
    ]);
  });

  it('takes the limits before the last change from the history, which may not have that one yet', () => {
    const kept = [
      { from: -50, to: 20, value: 200 },
      { from: 20, to: Infinity, value: 300 },
    ];
    const change = changed(100, ['panel.limits.maxMemoryMiB']);
    expect(limitSpansOf([change], 'memory', 'maxMemoryMiB', 500, kept)).toEqual([
      { from: -50, to: 20, value: 200 },
      { from: 20, to: 100, value: 300 },
      { from: 100, to: Infinity, value: 500 },
    ]);
    const late = [...kept, { from: 103, to: Infinity, value: 500 }];
    expect(limitSpansOf([change], 'memory', 'maxMemoryMiB', 500, late).at(-1)).toEqual({
      ...{ from: 100, to: Infinity, value: 500 },
    });
    const same = [{ from: -50, to: Infinity, value: 500 }];
    expect(limitSpansOf([change], 'memory', 'maxMemoryMiB', 500, same)).toEqual([
      { from: -50, to: Infinity, value: 500 },
    ]);
  });

  it('is one span as long as the limit is the same, whatever could have changed it', () => {
    const started = anEvent('p', { at: 100, server: null, kind: 'panel-started' });
    expect(spansOf(breached(40, 'memory', 500), started)).toEqual([
      { from: -Infinity, to: Infinity, value: 500 },
    ]);
  });

  it('does not take one limit for another', () => {
    const change = changed(100, ['panel.limits.maxMemoryMiB']);
    const hot = anEvent('hot', { at: 50, kind: 'high-cpu', detail: { value: 99, max: 80 } });
    expect(spansOf(breached(40, 'openFiles', 100), hot, change)).toEqual([
      { from: 100, to: Infinity, value: 500 },
    ]);
    expect(
      limitSpansOf([hot, changed(100, ['panel.limits.maxCpuPercent'])], 'memory', 'maxCpuPercent', 200),
    ).toEqual([
      { from: -Infinity, to: 100, value: 80 },
      { from: 100, to: Infinity, value: 200 },
    ]);
  });

  it.each<[string, PanelEvent, number]>([
    ['a change of another setting', changed(100, ['panel.limits.maxOpenFiles', 'args']), -Infinity],
    ['new settings altogether', changed(100, ['panel']), 100],
    [
      'a change of the defaults that reaches it',
      changed(100, [], {
        server: null,
        detail: { change: 'defaults', servers: ['memory'], fields: ['panel.limits.maxMemoryMiB'] },
      }),
      100,
    ],
    [
      'a change of the defaults that does not',
      changed(100, [], {
        server: null,
        detail: { change: 'defaults', servers: ['other'], fields: ['panel.limits.maxMemoryMiB'] },
      }),
      -Infinity,
    ],
    ['its being added', changed(100, [], { detail: { change: 'added' } }), 100],
    ["the panel's start", anEvent('p', { at: 100, server: null, kind: 'panel-started' }), 100],
  ])('begins the limit of now with the last change: %s', (_, event, from) => {
    expect(spansOf(event)).toEqual([{ from, to: Infinity, value: 500 }]);
  });
});
