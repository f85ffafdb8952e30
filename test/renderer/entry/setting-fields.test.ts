import { describe, expect, it } from 'vitest';
import { limitAdvice } from '../../../renderer/format/limit-sentences.ts';
import { settingGroups } from '../../../renderer/entry/setting-fields.ts';
import { choiceBounds, numberBounds } from '../../../shared/bounds.ts';
import { describeEvent } from '../../../renderer/format/event-words.ts';
import { settingName, settingWords } from '../../../renderer/format/setting-words.ts';

const limits = settingGroups.find(({ id }) => id === 'limits')?.fields ?? [];
const placeOf = (path: string) => limits.findIndex((field) => field.path === path);

it('offers the CPU as a warning, behind what is done over a limit', () => {
  const cpu = limits[placeOf('limits.maxCpuPercent')];
  expect(cpu).toMatchObject({
    label: 'Warn when CPU exceeds',
    hint: 'It is only reported, because the server may be busy.',
  });
  const action = placeOf('limits.onBreach');
  for (const path of ['limits.maxMemoryMiB', 'limits.maxOpenFiles'])
    expect(placeOf(path)).toBeLessThan(action);
  expect(placeOf('limits.maxCpuPercent')).toBeGreaterThan(action);
});

it.each([
  ['memory', 'limits.maxMemoryMiB'],
  ['cpu', 'limits.maxCpuPercent'],
  ['openFiles', 'limits.maxOpenFiles'],
])('advises to raise the limit of %s by the name that it has in the form', (limit, path) => {
  expect(limitAdvice({ limit })).toContain(`"${limits[placeOf(path)]?.label}"`);
});

describe('a changed setting', () => {
  it.each([
    ['limits.maxMemoryMiB', 1024, 1536, 'memory limit 1 GiB → 1.5 GiB'],
    ['limits.maxCpuPercent', 80, 120, 'CPU warning 80 % → 120 %'],
    ['health.stallThresholdMs', 30_000, 90_000, 'not responding after 30 s → 1 m 30 s'],
    ['restart.enabled', true, false, 'restart after a crash yes → no'],
    ['limits.onBreach', 'restart', 'notify', 'over a limit restart it → only report it'],
  ])('%s is told by its name, old and new', (path, from, to, words) => {
    expect(settingWords({ field: `panel.${path}`, from, to })).toBe(words);
  });

  it('has a name, whichever it is', () => {
    for (const path of [...Object.keys(numberBounds), ...Object.keys(choiceBounds)])
      expect(settingName(`panel.${path}`), path).toMatch(/^[a-zC]/);
    expect(settingName('args')).toBeUndefined();
    expect(settingName('panel.constructor')).toBeUndefined();
  });

  it('stands among the other fields of an edit in place of its path', () => {
    const detail = {
      change: 'edited',
      fields: ['args', 'panel.limits.maxMemoryMiB', 'panel.limits.maxOpenFiles'],
      settings: [{ field: 'panel.limits.maxMemoryMiB', from: 1024, to: 2048 }],
      restarts: true,
    };
    expect(describeEvent({ kind: 'config-changed', detail }).details).toEqual([
      'args, memory limit 1 GiB → 2 GiB, limit of open files',
      'restarts it',
    ]);
  });
});
