import type { ReactNode } from 'react';
import { toPlainText } from '../format/plain-text.ts';
import { boundWords, textKind } from './field-rules.ts';
import type { FormField, NumberInput } from './form-field.ts';
import type { FormProblem } from './form-value.ts';

interface FieldFrameProps {
  readonly field: FormField;
  readonly path: string;
  readonly problems: readonly FormProblem[];
  readonly children: ReactNode;
}

/** Id of the control for a path of the form. */
export const fieldIdOf = (path: string): string => `field-${path.replace(/\s/g, '_')}`;

/** Frame of a field: its label above the control, and its description and problems below. */
export function FieldFrame({ field, path, problems, children }: FieldFrameProps) {
  const id = fieldIdOf(path);
  return (
    <div className="flex flex-col items-start gap-4 min-w-0 w-full">
      <div className="flex items-baseline gap-8">
        <label className="font-semibold" htmlFor={id}>
          {field.label}
        </label>
        <FieldMarks field={field} />
      </div>
      {children}
      <FieldNotes field={field} path={path} problems={problems} />
    </div>
  );
}

/** Text beside a label that shows which kind of value the field takes, and whether it is required. */
export function FieldMarks({ field }: { readonly field: FormField }) {
  return (
    <span className="text-12 text-faint">
      {kindWords(field)}
      {field.isNullable && ' or null'}
      {field.isRequired && <span className="text-dim"> · required</span>}
    </span>
  );
}

/** Text below a field: its description and its problems. */
export function FieldNotes({ field, path, problems }: Omit<FieldFrameProps, 'children'>) {
  const own = problems.filter((problem) => problem.path === path);
  return (
    <div
      id={`${fieldIdOf(path)}-notes`}
      className="max-w-560 whitespace-pre-wrap wrap-anywhere text-12/16 text-dim empty:hidden"
    >
      {field.description !== undefined && <p>{field.description.split('\n').map(toPlainText).join('\n')}</p>}
      {own.map(({ message }) => (
        <p key={message} className="text-failed" role="alert">
          {field.label} {message}
        </p>
      ))}
    </div>
  );
}

function kindWords(field: FormField): string {
  if (field.kind === 'json') return 'JSON';
  return [kindNames[field.kind](field), ...boundWords(field.rules)].join(', ');
}

const kindNames: Readonly<Record<Exclude<FormField['kind'], 'json'>, (field: FormField) => string>> = {
  text: ({ rules }) => textKind(rules),
  number: (field) => (field.kind === 'number' ? rangeWords(field) : ''),
  boolean: () => 'boolean',
  choice: () => 'one of',
  object: () => 'object',
  list: () => 'list',
  variants: () => 'one of several forms',
};

function rangeWords({ isInteger, least, most }: NumberInput): string {
  const range = [least === undefined ? '' : `from ${least}`, most === undefined ? '' : `to ${most}`];
  return [isInteger ? 'whole number' : 'number', ...range].filter(Boolean).join(' ');
}
