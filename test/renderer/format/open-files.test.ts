import { afterEach, expect, it, vi } from 'vitest';
import { NO_OPEN_FILES_LIMIT, openFilesKindOf } from '../../../shared/open-files.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The page as it loads on a system. */
async function pageOn(platform: string) {
  vi.stubGlobal('navigator', { platform });
  vi.resetModules();
  return {
    words: await import('../../../renderer/format/open-files.ts'),
    events: await import('../../../renderer/format/limit-sentences.ts'),
    changes: await import('../../../renderer/format/setting-words.ts'),
    charts: await import('../../../renderer/charts/figures.ts'),
    limits: await import('../../../renderer/charts/limits.ts'),
    settings: await import('../../../renderer/entry/effective-settings.ts'),
  };
}

const breach = { limit: 'openFiles', value: 60, max: 50 };
const change = { field: 'panel.limits.maxOpenFiles', from: NO_OPEN_FILES_LIMIT, to: 2000 };

it('tells of handles on Windows, and of no limit of them, wherever it tells of open files', async () => {
  const { words, events, changes, charts, limits: drawn, settings } = await pageOn('Win32');
  expect(words.openFilesColumn.label).toBe('Handles');
  expect(events.limitTitle(breach, 'over')).toBe('over its limit of handles');
  expect(events.limitAdvice(breach)).toContain('raise "Handles"');
  expect(changes.settingWords(change)).toBe('limit of handles no limit → 2000');
  expect(charts.figuresOf('stdio', { kind: 'container' }).map(({ id }) => id)).not.toContain('files');
  const figure = charts.figuresOf('stdio').find(({ id }) => id === 'files')!;
  expect(figure.title).toBe('Handles');
  const limitsOf = (maxOpenFiles: number) => {
    const server = { name: 'web', limits: { maxMemoryMiB: 1, maxCpuPercent: 1, maxOpenFiles } };
    return drawn.limitsWithin(figure, [], { from: 0, to: 1 }, { server, events: [] });
  };
  expect(limitsOf(NO_OPEN_FILES_LIMIT)).toEqual([]);
  expect(limitsOf(2000)).toHaveLength(1);
  const shown = settings.effectiveSettings({ command: 'x' }, {}).flatMap((group) => group.settings);
  expect(shown.find(({ path }) => path === 'limits.maxOpenFiles')).toEqual({
    path: 'limits.maxOpenFiles',
    label: 'Handles',
    words: 'no limit',
    source: 'built-in',
  });
});

it('tells of open files on Linux, with their limit', async () => {
  const { words, events, settings } = await pageOn('Linux x86_64');
  expect(words.openFilesColumn.label).toBe('Files');
  expect(events.limitTitle(breach, 'over')).toBe('over its limit of open files');
  const shown = settings.effectiveSettings({ command: 'x' }, {}).flatMap((group) => group.settings);
  expect(shown.find(({ path }) => path === 'limits.maxOpenFiles')).toMatchObject({
    label: 'Open files',
    words: '1000 files',
  });
});

it('offers no limit of open files on macOS, which tells of none', async () => {
  const { settings } = await pageOn('MacIntel');
  const shown = settings.effectiveSettings({ command: 'x' }, {}).flatMap((group) => group.settings);
  expect(shown.map(({ path }) => path)).toContain('limits.maxMemoryMiB');
  expect(shown.map(({ path }) => path)).not.toContain('limits.maxOpenFiles');
});

it.each([
  ['win32', 'handles'],
  ['Win32', 'handles'],
  ['darwin', 'unmeasured'],
  ['MacIntel', 'unmeasured'],
  ['linux', 'files'],
  ['', 'files'],
])('takes what "%s" counts for %s', (platform, kind) => {
  expect(openFilesKindOf(platform)).toBe(kind);
});
