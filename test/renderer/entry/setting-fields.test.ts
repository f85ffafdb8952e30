import { expect, it } from 'vitest';
import { limitAdvice } from '../../../renderer/format/limit-sentences.ts';
import { settingGroups } from '../../../renderer/entry/setting-fields.ts';

const limits = settingGroups.find(({ id }) => id === 'limits')?.fields ?? [];
const placeOf = (path: string) => limits.findIndex((field) => field.path === path);

it('offers the CPU as a warning, behind what is done over a limit', () => {
  const cpu = limits[placeOf('limits.maxCpuPercent')];
  expect(cpu).toMatchObject({
    label: 'Warn when CPU exceeds',
    hint: 'It is only reported, because a server may be hard at work.',
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
