import { TextButton } from '../ui/text-button.tsx';
import { includedDraft } from './form-draft.ts';
import { fieldsOf, type ObjectField } from './form-field.ts';
import { joinPath } from './form-value.ts';
import { FieldMarks, FieldNotes } from './field-frame.tsx';
import { FieldView, type FieldViewProps } from './field-view.tsx';
import styles from './form.module.css';
import { ownValue } from '../../shared/own-value.ts';

interface FieldGroupProps extends FieldViewProps {
  readonly field: ObjectField;
}

/** Fields of an object. An optional object is added on demand. */
export function FieldGroup(props: FieldGroupProps) {
  const { field, draft, path, problems, onChange } = props;
  const isRoot = path === '';
  if (isRoot) return <GroupFields {...props} />;
  const canBeLeftOut = !field.isRequired || field.isNullable;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.head}>
        <span className={styles.label}>{field.label}</span>
        <FieldMarks field={field} />
      </legend>
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
    </fieldset>
  );
}

/** Fields of an existing object, without a frame. */
export function GroupFields({ field, draft, path, problems, onChange }: FieldGroupProps) {
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
