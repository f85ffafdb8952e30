import { useState } from 'react';
import { useStore } from 'zustand/react';
import { useShallow } from 'zustand/react/shallow';
import type { Settings } from '../../shared/settings.ts';
import { entryValueAt } from '../entry/raw-entry.ts';
import { type SettingField, settingProblem, settingToText, textToSetting } from '../entry/setting-text.ts';
import { defaultGroups } from './setting-index.ts';
import { SettingFieldSet } from './setting-field-set.tsx';
import { useServices } from '../services.ts';
import { SettingOutcome } from './setting-outcome.tsx';
import { ownValue } from '../../shared/own-value.ts';

const fields = defaultGroups.flatMap((group) => group.fields);

/** Defaults for servers without their own settings. Saves a field when it loses focus, because a half-typed number is invalid. */
export function DefaultsForm({ settings }: { readonly settings: Settings }) {
  const { settings: store } = useServices();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const refusals = useStore(
    store.changes,
    useShallow(({ byKey }) =>
      Object.fromEntries(
        fields.flatMap(({ path }) => {
          const status = byKey.get(`defaults.${path}`);
          return status?.phase === 'failed' ? [[`panel.${path}`, status.error.message] as const] : [];
        }),
      ),
    ),
  );
  const savedText = (field: SettingField) =>
    settingToText(field, entryValueAt(settings.defaults, field.path));
  const texts = Object.fromEntries(
    fields.map((field) => [field.path, ownValue(typed, field.path) ?? savedText(field)]),
  );
  const wrong = Object.fromEntries(
    fields.flatMap((field) => {
      const words = settingProblem(field, ownValue(texts, field.path) ?? '');
      return words === undefined ? [] : [[`panel.${field.path}`, words] as const];
    }),
  );

  const save = (field: SettingField, text: string) => {
    if (text === savedText(field) || settingProblem(field, text) !== undefined) return;
    const forget = () =>
      setTyped((now) => Object.fromEntries(Object.entries(now).filter(([path]) => path !== field.path)));
    void store.set(`defaults.${field.path}`, textToSetting(field, text)).then(forget);
  };
  const change = (path: string, text: string) => {
    setTyped((now) => ({ ...now, [path]: text }));
    const field = fields.find((known) => known.path === path);
    // A choice is saved immediately. A number is saved only when its field loses focus.
    if (field?.kind === 'choice') save(field, text);
  };
  const leave = (path: string) => {
    const field = fields.find((known) => known.path === path);
    if (field !== undefined) save(field, ownValue(texts, path) ?? '');
  };
  return (
    <SettingFieldSet
      groups={defaultGroups}
      areDefaults
      texts={texts}
      problems={{ ...refusals, ...wrong }}
      onChange={change}
      onDone={leave}
      aside={({ path, label }) => <SettingOutcome path={`defaults.${path}`} label={label} />}
    />
  );
}
