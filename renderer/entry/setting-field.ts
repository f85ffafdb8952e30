interface FieldBase {
  /** Path below `panel`: `limits.maxMemoryMiB`. */
  readonly path: string;
  readonly label: string;
  /** Hint on what the setting does, where the label does not say it. */
  readonly hint?: string;
}

/** Number that is shown in `unit`, and kept in the file as `factor` times the number shown. */
export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly unit: string;
  readonly factor: number;
  /** Default as in the file, like `min` and `max`. */
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
  /** Words for `max`, where that stands for no limit. */
  readonly maxWords?: string;
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
