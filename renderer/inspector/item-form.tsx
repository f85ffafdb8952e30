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
  /** Value that the input represents: the arguments to send. */
  readonly value: unknown;
  readonly problems: readonly FormProblem[];
  readonly onChange: (input: ItemInput) => void;
}

/** Path of the single field that contains all arguments as JSON. */
export const JSON_FIELD_PATH = 'arguments';

const modes = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

/** Form for the arguments of an item (a tool, prompt or resource template): one field per argument, or all arguments as JSON. */
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

/** Returns the user's input in the form's fields; before there is any, the form's initial values. */
const inputDraftOf = (form: FormField, { draft }: ItemInput): Draft => draft ?? startDraft(form);

/**
 * Returns the arguments to send and their problems. The arguments come from the JSON if the user chose it, otherwise from the
 * form's fields.
 * @param schema schema that JSON input is checked against, if the item has one
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

/** Returns an input that contains a value as JSON and so replaces the form's fields. */
export const asJson = (value: unknown): ItemInput => ({ json: JSON.stringify(value ?? {}, undefined, 2) });

/** Returns an input that shows a value in the form's fields; undefined if the fields cannot show all of it. */
export function asForm(form: FormField, value: unknown): ItemInput | undefined {
  const draft = toDraft(form, value);
  if (draft === undefined) return undefined;
  return isSame(readForm(form, draft).value, value) ? { draft } : undefined;
}
