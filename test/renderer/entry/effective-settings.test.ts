import { describe, expect, it } from 'vitest';
import { defaultPanelSettings } from '../../../shared/panel-settings.ts';
import { withPanelDefaults } from '../../../shared/settings.ts';
import { effectiveSettings, valueInForce } from '../../../renderer/entry/effective-settings.ts';
import { entryValueAt } from '../../../renderer/entry/raw-entry.ts';

const settingsOf = (...args: Parameters<typeof effectiveSettings>) =>
  effectiveSettings(...args).flatMap(({ settings }) => settings);

it('gives the value in force of one setting, as the panel itself has it', () => {
  const entry = { panel: { health: { onStall: 'notify' } } };
  const defaults = { health: { onStall: 'restart', stallThresholdMs: 5000 } };
  expect(valueInForce('health.onStall', entry, defaults)).toBe('notify');
  expect(valueInForce('health.stallThresholdMs', entry, defaults)).toBe(5000);
  expect(valueInForce('health.stallThresholdMs', entry, {})).toBe(
    defaultPanelSettings.health.stallThresholdMs,
  );
});

describe('effectiveSettings', () => {
  it('names every setting of the panel, and calls all of them built in where nothing is set', () => {
    const paths = Object.entries(defaultPanelSettings).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null
        ? Object.keys(value).map((inner) => `${key}.${inner}`)
        : [key],
    );
    const settings = settingsOf({ command: 'x' }, {});
    expect(settings.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    expect(new Set(settings.map(({ source }) => source))).toEqual(new Set(['built-in']));
  });

  it('says in words what is off', () => {
    const words = new Map(settingsOf({ command: 'x' }, {}).map((setting) => [setting.path, setting.words]));
    const off = ['sleepAfterMs', 'caps.memoryMiB', 'caps.cpuCores'].map((path) => words.get(path));
    expect(off).toEqual(['never', 'none', 'none']);
  });

  it('tells of a health check of its own only where there is one, without what may be secret in it', () => {
    const check = { tool: 'ping_db', arguments: { password: 'abc' } };
    const groups = effectiveSettings({ panel: { health: { check } } }, {});
    const { settings = [] } = groups.find(({ id }) => id === 'check') ?? {};
    expect(settings.map(({ words }) => words)).toEqual([
      'ping_db',
      '{"password":"••••••••"}',
      'none',
      '1 m',
      'none',
      'Only report it',
    ]);
    expect(effectiveSettings({}, {}).some(({ id }) => id === 'check')).toBe(false);
  });

  it('has the entry win over the defaults for all servers, and those over what is built in, as the panel itself does', () => {
    const panel = { limits: { maxMemoryMiB: 512 }, autoStart: false };
    const defaults = { limits: { maxMemoryMiB: 2048, maxCpuPercent: 300 } };
    const inForce = withPanelDefaults(panel, defaults);
    const byPath = Object.fromEntries(settingsOf({ panel }, defaults).map((one) => [one.path, one]));
    expect(byPath['limits.maxMemoryMiB']).toMatchObject({
      words: `${inForce.limits.maxMemoryMiB} MiB`,
      source: 'entry',
      otherwise: '2.00 GiB',
    });
    expect(byPath['limits.maxCpuPercent']).toMatchObject({
      words: `${inForce.limits.maxCpuPercent} % of a core`,
      source: 'defaults',
    });
    expect(byPath['autoStart']).toMatchObject({ words: 'No', source: 'entry', otherwise: 'Yes' });
    expect(byPath['restart.maxPerHour']).toMatchObject({
      words: `${String(entryValueAt(inForce, 'restart.maxPerHour'))} restarts`,
      source: 'built-in',
    });
    expect(byPath['restart.slowRetryMs']?.words).toBe('5 m');
    expect(byPath['restart.maxPerHour']).not.toHaveProperty('otherwise');
  });
});
