import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { TextField } from '../ui/text-field.tsx';
import { entryValueAt, type Problems, type RawEntry } from '../entry/raw-entry.ts';
import { defaultText, type SettingField, type SettingGroup, usualText } from '../entry/setting-text.ts';
import { settingGroups } from '../entry/setting-fields.ts';
import { ownValue } from '../../shared/own-value.ts';

interface SettingFieldSetProps {
  readonly groups?: readonly SettingGroup[];
  /** Text of each field by its path below `panel`. A path is absent if the setting is not set. */
  readonly texts: Readonly<Record<string, string>>;
  /** Validation problems by path. The paths begin with `panel.`. */
  readonly problems: Problems;
  /** Defaults that apply to settings that are not set, in the same structure as `panel`. */
  readonly defaults?: RawEntry;
  readonly onChange: (path: string, text: string) => void;
  /** Called when a field loses focus, or when the user makes a choice. */
  readonly onDone?: (path: string) => void;
  /** Returns the content shown below a field. */
  readonly aside?: (field: SettingField) => ReactNode;
  /**
   * True if the fields edit the defaults themselves. In this case, a line below each number shows its usual value, and the
   * search of the settings finds each field.
   */
  readonly areDefaults?: boolean;
}

/** Fields of the supervision settings, grouped by topic. */
export function SettingFieldSet({
  groups = settingGroups,
  texts,
  problems,
  defaults = {},
  onChange,
  onDone,
  aside,
  areDefaults = false,
}: SettingFieldSetProps) {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(320px,1fr))] gap-x-24 gap-y-12 pt-8">
      {groups.map(({ id, title, fields }) => (
        <fieldset
          key={id}
          className="flex flex-col gap-6 min-w-0 [--label-width:172px]"
          onBlur={(event) => onDone?.(event.target.name)}
        >
          <legend className="px-0 pb-4 label">{title}</legend>
          {fields.map((field) => (
            <div key={field.path} data-setting={areDefaults ? `defaults.${field.path}` : undefined}>
              <Field
                field={field}
                text={ownValue(texts, field.path) ?? ''}
                error={ownValue(problems, `panel.${field.path}`)}
                saysUsual={areDefaults}
                placeholder={defaultText(field, entryValueAt(defaults, field.path))}
                onChange={(text) => onChange(field.path, text)}
              />
              {aside !== undefined && <div className="pl-184">{aside(field)}</div>}
            </div>
          ))}
        </fieldset>
      ))}
    </div>
  );
}

interface FieldProps {
  readonly field: SettingField;
  readonly text: string;
  readonly error: string | undefined;
  readonly placeholder: string;
  readonly saysUsual: boolean;
  readonly onChange: (text: string) => void;
}

function Field({ field, text, error, placeholder, saysUsual, onChange }: FieldProps) {
  if (field.kind !== 'choice') {
    const isNumber = field.kind === 'number';
    const hint = [saysUsual && isNumber && usualText(field), field.hint].filter(Boolean).join(' ');
    return (
      <TextField
        label={field.label}
        fieldName={field.path}
        {...(isNumber ? { unit: field.unit } : field.isJson && { rows: 3, isCode: true })}
        value={text}
        error={error}
        placeholder={placeholder}
        onChange={onChange}
        {...(hint !== '' && { hint })}
      />
    );
  }
  const choices = field.choices.map(({ value, label }) => ({ value: String(value), label }));
  const isKnown = text === '' || choices.some(({ value }) => value === text);
  return (
    <NativeSelect
      size="xs"
      name={field.path}
      label={field.label}
      error={error}
      value={text}
      classNames={{
        root: 'grid grid-cols-[172px_minmax(0,1fr)] items-start gap-x-12',
        label: 'py-6 caption',
        error: 'col-start-2',
      }}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: `${placeholder} (default)` },
        ...choices,
        ...(isKnown ? [] : [{ value: text, label: text }]),
      ]}
    />
  );
}
