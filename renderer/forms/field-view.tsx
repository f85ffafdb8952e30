import type { ReactNode } from 'react';
import { Segments } from '../ui/segments.tsx';
import {
  chosenOf,
  type Draft,
  fieldsOf,
  type FormField,
  itemsOf,
  type ListField,
  type ObjectField,
  textOf,
  type VariantsField,
  withVariant,
} from './form-field.ts';
import { type FormProblem, joinPath } from './form-value.ts';
import { exampleOf } from './field-rules.ts';
import { FieldFrame, fieldIdOf, FieldMarks, FieldNotes } from './field-frame.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { includedDraft, variantDraft } from './form-draft.ts';
import { ownValue } from '../../shared/own-value.ts';

interface FieldViewProps {
  readonly field: FormField;
  readonly draft: Draft;
  readonly path: string;
  /** Problems of the whole form; each field shows only its own. */
  readonly problems: readonly FormProblem[];
  readonly onChange: (draft: Draft) => void;
}

/** Field with its label, description and problems. */
export function FieldView(props: FieldViewProps) {
  const { field } = props;
  if (field.kind === 'object') return <FieldGroup {...props} field={field} />;
  if (field.kind === 'list') return <FieldList {...props} field={field} />;
  if (field.kind === 'variants') return <FieldVariants {...props} field={field} />;
  return (
    <FieldFrame {...props}>
      <Control {...props} />
    </FieldFrame>
  );
}

const LONGEST_AREA_ROWS = 10;

const control =
  'figures box-border w-full min-h-28 px-8 py-4 border border-strong-line rounded-md bg-ground text-text resize-y ' +
  'placeholder:text-faint placeholder:italic aria-invalid:border-failed';
const looks = {
  text: `${control} max-w-560 text-13/20 font-sans`,
  code: `${control} max-w-720 text-12/20 font-mono`,
};

function Control({ field, draft, path, problems, onChange }: FieldViewProps) {
  const text = textOf(draft);
  const id = fieldIdOf(path);
  const isWrong = problems.some((problem) => problem.path === path);
  const shared = {
    id,
    className: looks[field.kind === 'json' ? 'code' : 'text'],
    value: text,
    'aria-invalid': isWrong || undefined,
    'aria-required': field.isRequired || undefined,
    'aria-describedby': `${id}-notes`,
    spellCheck: false,
    autoComplete: 'off',
    placeholder: placeholderOf(field),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  switch (field.kind) {
    case 'boolean':
      return (
        <Segments
          name={field.label}
          value={text}
          choices={[
            ...(field.isRequired && !field.isNullable
              ? []
              : [{ value: '', label: field.isRequired ? 'Null' : 'Not sent' }]),
            { value: 'true', label: 'True' },
            { value: 'false', label: 'False' },
          ]}
          onChange={onChange}
        />
      );
    case 'choice':
      return (
        <select {...shared}>
          <option value="">{field.isRequired && !field.isNullable ? 'Choose…' : shared.placeholder}</option>
          {field.options.map((option, index) => (
            <option key={index} value={String(index)}>
              {option.label}
            </option>
          ))}
        </select>
      );
    case 'number':
      return <input {...shared} type="text" inputMode="decimal" />;
    case 'text':
      return field.rules?.['format'] === undefined ? (
        <textarea {...shared} rows={rowsFor(text, 1)} />
      ) : (
        <input {...shared} type="text" />
      );
    default:
      return <textarea {...shared} rows={rowsFor(text, 3)} />;
  }
}

function placeholderOf({ isRequired, isNullable, rules }: FormField): string {
  const example = exampleOf(rules);
  if (!isRequired) return example === undefined ? 'not sent' : `not sent, or ${example}`;
  return isNullable ? 'null' : (example ?? '');
}

/** Returns the rows of a text area: as many as the text has lines, within limits, so that the user rarely needs to scroll. */
const rowsFor = (text: string, least: number): number =>
  Math.min(LONGEST_AREA_ROWS, Math.max(least, text.split('\n').length));

interface GroupProps {
  /** Field whose name the group shows; undefined for the whole form, which needs no frame. */
  readonly field: FormField | undefined;
  readonly children: ReactNode;
}

const framed = 'pb-2 pl-12 border-l-2 border-line';

/** Group of related controls, below the name of the group. */
const Group = ({ field, children }: GroupProps) => (
  <fieldset className={`flex flex-col items-start gap-8 box-border min-w-0 w-full ${field ? framed : ''}`}>
    {field && (
      <legend className="flex items-baseline gap-8 -ml-12 p-0">
        <span className="font-semibold">{field.label}</span>
        <FieldMarks field={field} />
      </legend>
    )}
    {children}
  </fieldset>
);

interface FieldListProps extends FieldViewProps {
  readonly field: ListField;
}

/** List with any number of items; each item is a field. */
function FieldList({ field, draft, path, problems, onChange }: FieldListProps) {
  const items = itemsOf(draft);
  return (
    <Group field={field}>
      <FieldNotes field={field} path={path} problems={problems} />
      {items.map((item, index) => {
        const label = `${field.label} ${index + 1}`;
        return (
          <div
            key={index}
            className="flex items-start gap-4 max-w-600 w-full *:first:flex-1 [&>button]:mt-24"
          >
            <FieldView
              field={{ ...field.item, label }}
              draft={item}
              path={joinPath(path, String(index))}
              problems={problems}
              onChange={(next) => onChange(items.with(index, next))}
            />
            <IconButton
              icon="close"
              name={`Remove ${label}`}
              onClick={() => onChange(items.toSpliced(index, 1))}
            />
          </div>
        );
      })}
      <TextButton onClick={() => onChange([...items, includedDraft(field.item)])}>
        Add to {field.label}
      </TextButton>
    </Group>
  );
}

interface FieldVariantsProps extends FieldViewProps {
  readonly field: VariantsField;
}

/** Lets the user choose a variant of a value, and shows the chosen one. Input in the other variants is kept. */
function FieldVariants({ field, draft, path, problems, onChange }: FieldVariantsProps) {
  const chosen = chosenOf(draft);
  const drafts = fieldsOf(draft);
  const variant = chosen === '' ? undefined : field.variants[Number(chosen)];
  const isRoot = path === '';
  const id = fieldIdOf(isRoot ? 'variant' : path);
  const choose = (next: string) => {
    const fresh = variantDraft(field, next);
    onChange({ ...drafts, ...(Object.hasOwn(drafts, next) ? {} : fieldsOf(fresh)), chosen: next });
  };
  const inner = variant !== undefined && {
    draft: ownValue(drafts, chosen),
    path: joinPath(path, chosen),
    problems,
    onChange: (next: FieldViewProps['draft']) => onChange(withVariant(draft, chosen, next)),
  };
  return (
    <Group field={isRoot ? undefined : field}>
      <select
        id={id}
        className={looks.text}
        aria-label={isRoot ? 'Form of the arguments' : `Form of ${field.label}`}
        aria-describedby={`${fieldIdOf(path)}-notes`}
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {(!field.isRequired || field.isNullable) && (
          <option value="">{field.isRequired ? 'null' : 'not sent'}</option>
        )}
        {field.variants.map(({ label }, index) => (
          <option key={index} value={String(index)}>
            {label}
          </option>
        ))}
      </select>
      <FieldNotes field={field} path={path} problems={problems} />
      {inner !== false &&
        (variant?.kind === 'object' ? (
          <GroupFields {...inner} field={variant} />
        ) : (
          variant !== undefined && <FieldView {...inner} field={variant} />
        ))}
    </Group>
  );
}

interface FieldGroupProps extends FieldViewProps {
  readonly field: ObjectField;
}

/** Fields of an object. If the object is optional, the user can add it. */
function FieldGroup(props: FieldGroupProps) {
  const { field, draft, path, problems, onChange } = props;
  const isRoot = path === '';
  if (isRoot) return <GroupFields {...props} />;
  const canBeLeftOut = !field.isRequired || field.isNullable;
  return (
    <Group field={field}>
      <FieldNotes field={field} path={path} problems={problems} />
      {draft !== undefined && <GroupFields {...props} />}
      {draft === undefined && (
        <TextButton onClick={() => onChange(includedDraft(field))}>Add {field.label}</TextButton>
      )}
      {draft !== undefined && canBeLeftOut && (
        <TextButton look="link" onClick={() => onChange(undefined)}>
          Leave out {field.label}
        </TextButton>
      )}
    </Group>
  );
}

/** Fields of an existing object, without a frame. */
function GroupFields({ field, draft, path, problems, onChange }: FieldGroupProps) {
  const drafts = fieldsOf(draft);
  return field.fields.map((part) => (
    <FieldView
      key={part.key}
      field={part}
      draft={ownValue(drafts, part.key)}
      path={joinPath(path, part.key)}
      problems={problems}
      onChange={(next) => onChange({ ...drafts, [part.key]: next })}
    />
  ));
}
