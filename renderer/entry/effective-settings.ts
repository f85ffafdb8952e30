import { BYTES_PER_MIB } from '../../shared/units.ts';
import { formatSpan } from '../format/durations.ts';
import { formatMemory } from '../format/figures.ts';
import { entryValueAt, type RawEntry } from './raw-entry.ts';
import { withMasks } from './shown-entry.ts';
import { defaultText, type SettingField, type SettingGroup, wordsOfOff } from './setting-text.ts';
import { choice, settingFields, settingGroups } from './setting-fields.ts';

/** Where the value of a setting comes from: the entry, the user's defaults for all servers, or the panel's built-in default. */
export type SettingSource = 'entry' | 'defaults' | 'built-in';

export interface EffectiveSetting {
  readonly path: string;
  readonly label: string;
  /** Value with its unit, as text. */
  readonly words: string;
  readonly source: SettingSource;
  /** Value that would apply if the entry did not set one; absent if the entry does not set one. */
  readonly otherwise?: string;
}

export interface EffectiveGroup {
  readonly id: SettingGroup['id'];
  readonly title: string;
  readonly settings: readonly EffectiveSetting[];
}

/** Setting for the automatic start. It is not in `settingGroups`, because the form has a separate check box for it. */
const autoStart = choice('autoStart', 'Starts automatically', [
  [true, 'Yes'],
  [false, 'No'],
]);

/**
 * Returns the settings of a server, each with the source of its value.
 * @param defaults the user's defaults for all servers, in the format of `panel`
 */
export function effectiveSettings(entry: RawEntry, defaults: RawEntry): readonly EffectiveGroup[] {
  const shown = withMasks(entry);
  const groups = settingGroups.filter(
    ({ id }) => id !== 'check' || entryValueAt(entry, 'panel.health.check') !== undefined,
  );
  return groups.map(({ id, title, fields }) => ({
    id,
    title,
    settings: (id === 'start' ? [autoStart, ...fields] : fields).map((field) =>
      effectiveSetting(field, entryValueAt(shown, `panel.${field.path}`), entryValueAt(defaults, field.path)),
    ),
  }));
}

/** Returns the value that applies to a server for the setting at a form path, in the format of `panel`: durations in ms. */
export function valueInForce(path: string, entry: RawEntry, defaults: RawEntry): unknown {
  const builtIn = settingFields.find((field) => field.path === path)?.default;
  return entryValueAt(entry, `panel.${path}`) ?? entryValueAt(defaults, path) ?? builtIn;
}

function effectiveSetting(field: SettingField, own: unknown, byDefault: unknown): EffectiveSetting {
  const otherwise = wordsOf(field, byDefault ?? field.default);
  const base = { path: field.path, label: field.label };
  if (own !== undefined) return { ...base, words: wordsOf(field, own), source: 'entry', otherwise };
  return { ...base, words: otherwise, source: byDefault === undefined ? 'built-in' : 'defaults' };
}

function wordsOf(field: SettingField, value: unknown): string {
  const text = defaultText(field, value) || 'none';
  if (field.kind !== 'number' || wordsOfOff(field, value) !== undefined) return text;
  // Seconds are formatted like all other durations.
  if (field.unit === 's' && typeof value === 'number') return formatSpan(value);
  if (field.unit === 'MiB' && typeof value === 'number') return formatMemory(value * BYTES_PER_MIB);
  return `${text} ${value === 1 ? field.unit.replace(/s\b/, '') : field.unit}`;
}
