import { BYTES_PER_MIB } from '../../shared/units.ts';
import { formatSpan } from '../format/durations.ts';
import { formatMemory } from '../format/figures.ts';
import { entryValueAt, type RawEntry } from './raw-entry.ts';
import type { SettingField, SettingGroup } from './setting-field.ts';
import { choice, settingFields, settingGroups } from './setting-fields.ts';
import { defaultText, wordsOfMax } from './setting-text.ts';

/** Source of a setting: the entry, the person's defaults for all servers, or the panel itself. */
export type SettingSource = 'entry' | 'defaults' | 'built-in';

export interface EffectiveSetting {
  readonly path: string;
  readonly label: string;
  /** Value with its unit. */
  readonly words: string;
  readonly source: SettingSource;
  /** Value that would hold without the entry, where the entry decides. */
  readonly otherwise?: string;
}

export interface EffectiveGroup {
  readonly id: SettingGroup['id'];
  readonly title: string;
  readonly settings: readonly EffectiveSetting[];
}

/** Automatic start, listed apart because the form has a check box of its own for it. */
const autoStart = choice('autoStart', 'Starts by itself', [
  [true, 'Yes'],
  [false, 'No'],
]);

/**
 * Settings of a server, one by one, each with its source.
 * @param defaults those of the person for all servers, in the form of `panel`
 */
export function effectiveSettings(entry: RawEntry, defaults: RawEntry): readonly EffectiveGroup[] {
  return settingGroups.map(({ id, title, fields }) => ({
    id,
    title,
    settings: (id === 'start' ? [autoStart, ...fields] : fields).map((field) =>
      effectiveSetting(field, entryValueAt(entry, `panel.${field.path}`), entryValueAt(defaults, field.path)),
    ),
  }));
}

/** Value in force for a server at the path of a form field, as `panel` has it: durations in ms. */
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
  const text = defaultText(field, value);
  if (field.kind !== 'number' || wordsOfMax(field, value) !== undefined) return text;
  // Fields in seconds are shown as every other duration is.
  if (field.unit === 's' && typeof value === 'number') return formatSpan(value);
  if (field.unit === 'MiB' && typeof value === 'number') return formatMemory(value * BYTES_PER_MIB);
  return `${text} ${value === 1 ? field.unit.replace(/s\b/, '') : field.unit}`;
}
