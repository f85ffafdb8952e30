import { variantDraft } from './form-draft.ts';
import { chosenOf, fieldsOf, withVariant, type VariantsField } from './form-field.ts';
import { joinPath } from './form-value.ts';
import { fieldIdOf, FieldMarks, FieldNotes } from './field-frame.tsx';
import { GroupFields } from './field-group.tsx';
import { FieldView, type FieldViewProps } from './field-view.tsx';
import styles from './form.module.css';
import { ownValue } from '../../shared/own-value.ts';

interface FieldVariantsProps extends FieldViewProps {
  readonly field: VariantsField;
}

/** Choice between the variants of a value, and the chosen one. Input of the other variants is kept. */
export function FieldVariants({ field, draft, path, problems, onChange }: FieldVariantsProps) {
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
    <fieldset className={isRoot ? styles.variants : styles.group}>
      {!isRoot && (
        <legend className={styles.head}>
          <span className={styles.label}>{field.label}</span>
          <FieldMarks field={field} />
        </legend>
      )}
      <select
        id={id}
        className={styles.input}
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
    </fieldset>
  );
}
