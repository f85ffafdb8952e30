import { describe, expect, it } from 'vitest';
import { choiceBounds, numberBounds } from '../../../shared/bounds.ts';
import { describeEvent } from '../../../renderer/format/event-words.ts';
import { settingName, settingWords } from '../../../renderer/format/setting-words.ts';

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
