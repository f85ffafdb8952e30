import { useState } from 'react';
import { Segments } from '../ui/segments.tsx';
import { FieldView } from '../forms/field-view.tsx';
import type { Draft, FormField } from '../forms/form-field.ts';
import { type FormProblem, type FormValue, isSame, parseJson, readForm } from '../forms/form-value.ts';
import type { ItemInput } from '../store/inspector-store.ts';
import type { OfferItem } from '../offer/offer-items.ts';
import { isJsonObject } from '../../shared/json-object.ts';
import { startDraft, toDraft } from '../forms/form-draft.ts';
import { schemaProblems } from '../forms/schema-check.ts';

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

/** Form with the fields of an item's arguments, or with all arguments as JSON. */
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
      <div className="flex items-center gap-12 pt-4 border-t border-line">
        <h3 className="flex-1 label">Arguments</h3>
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
        <p className="text-dim" role="status">
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
            <p className="text-dim">It takes no arguments.</p>
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

/** Returns the draft of an input, or the initial draft of the form. */
const inputDraftOf = (form: FormField, { draft }: ItemInput): Draft => draft ?? startDraft(form);

/**
 * Returns the value to send, from the form or from the JSON that replaces it, and its problems.
 * @param schema schema for typed JSON, if the item has one
 */
export function readInput(form: FormField, input: ItemInput, schema?: unknown): FormValue {
  if (input.json === undefined && form.kind !== 'json') return readForm(form, inputDraftOf(form, input));
  const isEmpty = input.json === undefined || input.json.trim() === '';
  const parsed = isEmpty ? { value: {} } : parseJson(input.json ?? '');
  if ('problem' in parsed) return { value: undefined, problems: [{ path: '', message: parsed.problem }] };
  return { value: parsed.value, problems: problemsOfJson(parsed.value, schema) };
}

const problemsOfJson = (value: unknown, schema: unknown): readonly FormProblem[] =>
  isJsonObject(schema)
    ? schemaProblems(value, schema).map(({ place, words }) => ({
        path: '',
        message: place === '' ? words : `at ${place}: ${words}`,
        isOfSchema: true,
      }))
    : [];

/** Returns the input as JSON instead of the form. */
export const asJson = (value: unknown): ItemInput => ({ json: JSON.stringify(value ?? {}, undefined, 2) });

/** Returns the input for the form; undefined if the form cannot show the whole value. */
export function asForm(form: FormField, value: unknown): ItemInput | undefined {
  const draft = toDraft(form, value);
  if (draft === undefined) return undefined;
  return isSame(readForm(form, draft).value, value) ? { draft } : undefined;
}
