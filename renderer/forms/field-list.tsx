import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { includedDraft } from './form-draft.ts';
import { itemsOf, type ListField } from './form-field.ts';
import { joinPath } from './form-value.ts';
import { FieldMarks, FieldNotes } from './field-frame.tsx';
import { FieldView, type FieldViewProps } from './field-view.tsx';
import styles from './form.module.css';

interface FieldListProps extends FieldViewProps {
  readonly field: ListField;
}

/** List with any number of items, each a field of its own. */
export function FieldList({ field, draft, path, problems, onChange }: FieldListProps) {
  const items = itemsOf(draft);
  return (
    <fieldset className={styles.group}>
      <legend className={styles.head}>
        <span className={styles.label}>{field.label}</span>
        <FieldMarks field={field} />
      </legend>
      <FieldNotes field={field} path={path} problems={problems} />
      {items.map((item, index) => {
        const label = `${field.label} ${index + 1}`;
        return (
          <div key={index} className={styles.item}>
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
    </fieldset>
  );
}
