import { useState } from 'react';
import { Segments } from '../ui/segments.tsx';
import { FieldView } from '../forms/field-view.tsx';
import type { FormField } from '../forms/form-field.ts';
import type { FormProblem } from '../forms/form-value.ts';
import type { ItemInput } from '../store/inspector-store.ts';
import { asForm, asJson, inputDraftOf } from './item-input.ts';
import type { OfferItem } from '../offer/offer-items.ts';
import styles from './inspector.module.css';

interface ItemFormProps {
  readonly item: OfferItem;
  readonly input: ItemInput;
  /** Current value of the input. */
  readonly value: unknown;
  readonly problems: readonly FormProblem[];
  readonly onChange: (input: ItemInput) => void;
}

/** Path of the only field in JSON mode. */
export const JSON_FIELD_PATH = 'arguments';

const modes = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

/** Fields of an item's arguments, or all arguments as JSON. */
export function ItemForm({ item, input, value, problems, onChange }: ItemFormProps) {
  const [isRefused, setRefused] = useState(false);
  const { form } = item;
  const isJson = input.json !== undefined || form.kind === 'json';
  if (item.kind === 'resource') return null;

  const switchTo = (mode: string) => {
    const next = mode === 'json' ? asJson(value) : asForm(form, value);
    setRefused(next === undefined);
    if (next !== undefined) onChange(next);
  };
  return (
    <>
      <div className={styles.bar}>
        <h3>Arguments</h3>
        {form.kind !== 'json' && (
          <Segments
            name="Arguments as"
            value={isJson ? 'json' : 'form'}
            choices={modes}
            onChange={switchTo}
          />
        )}
      </div>
      {isRefused && isJson && (
        <p className={styles.hint} role="status">
          The form cannot show all of this, so it stays JSON.
        </p>
      )}
      {isJson ? (
        <FieldView
          field={jsonField}
          draft={input.json ?? '{}'}
          path={JSON_FIELD_PATH}
          problems={problems.map((problem) => ({ ...problem, path: JSON_FIELD_PATH }))}
          onChange={(next) => onChange({ json: typeof next === 'string' ? next : '' })}
        />
      ) : (
        <>
          {form.kind === 'object' && form.fields.length === 0 && (
            <p className={styles.hint}>It takes no arguments.</p>
          )}
          <FieldView
            field={form}
            draft={inputDraftOf(form, input)}
            path=""
            problems={problems}
            onChange={(draft) => onChange({ draft })}
          />
        </>
      )}
    </>
  );
}

const jsonField: FormField = {
  kind: 'json',
  key: '',
  label: 'All arguments',
  isRequired: false,
  isNullable: false,
};
