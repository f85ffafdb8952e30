interface FieldBase {
  /** Below `panel`: `limits.maxMemoryMiB`. */
  readonly path: string;
  readonly label: string;
  /** What it does, where the label does not say it. */
  readonly hint?: string;
}

/** Shown in `unit`, kept in the file as `factor` times the number shown. */
export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly unit: string;
  readonly factor: number;
  /** As in the file, like `min` and `max`. */
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
}

export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly default: string | boolean;
  readonly choices: readonly { readonly value: string | boolean; readonly label: string }[];
}

export type SettingField = NumberField | ChoiceField;

export interface SettingGroup {
  readonly id: 'start' | 'health' | 'calls' | 'restart' | 'limits' | 'sessions';
  readonly title: string;
  readonly fields: readonly SettingField[];
}
