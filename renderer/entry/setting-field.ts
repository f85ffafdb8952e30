interface FieldBase {
  /** Path below `panel`: `limits.maxMemoryMiB`. */
  readonly path: string;
  readonly label: string;
  /** Hint on the effect of the setting, if the label does not explain it. */
  readonly hint?: string;
}

/** Number shown in `unit`; the file contains `factor` times the number shown. */
export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly unit: string;
  readonly factor: number;
  /** Default in the unit of the file, like `min` and `max`. */
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
  /** Text for `max`, if that means no limit. */
  readonly maxWords?: string;
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly default: string | boolean;
  readonly choices: readonly { readonly value: string | boolean; readonly label: string }[];
}

/** Plain text, or a JSON object. */
export interface PlainField extends FieldBase {
  readonly kind: 'text';
  readonly default?: undefined;
  readonly isJson?: true;
}

export type SettingField = NumberField | ChoiceField | PlainField;

export interface SettingGroup {
  readonly id: 'start' | 'health' | 'check' | 'calls' | 'restart' | 'limits' | 'sessions';
  readonly title: string;
  readonly fields: readonly SettingField[];
}
