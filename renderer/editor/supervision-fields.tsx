import { useSettingDefaults } from '../settings/use-setting-defaults.ts';
import { SettingFieldSet } from '../settings/setting-field-set.tsx';
import { editSetting } from './editor-state.ts';
import { settingFields } from '../entry/setting-fields.ts';
import type { ServerEditor } from './use-server-editor.ts';
import styles from './supervision-fields.module.css';
import { ownValue } from '../../shared/own-value.ts';

interface SupervisionFieldsProps {
  readonly editor: ServerEditor;
  /** Whether the fields are expanded and get the focus first. */
  readonly hasFocus?: boolean;
}

/** Fields for limits, restarts and other settings, collapsed at first; each shows its default. */
export function SupervisionFields({
  editor: { state, edit, problems },
  hasFocus = false,
}: SupervisionFieldsProps) {
  const defaults = useSettingDefaults();
  const set = settingFields.filter(({ path }) => (ownValue(state.draft.panel, path) ?? '') !== '').length;
  const isWrong = Object.keys(problems).some((path) => path.startsWith('panel.'));
  return (
    <details className={styles.section} {...((isWrong || hasFocus) && { open: true })}>
      <summary className={styles.summary} data-autofocus={hasFocus || undefined}>
        Supervision
        <span className={styles.count}>{set === 0 ? 'All defaults' : `${set} changed`}</span>
      </summary>
      <SettingFieldSet
        texts={state.draft.panel}
        problems={problems}
        defaults={defaults}
        onChange={(path, text) => edit((now) => editSetting(now, path, text))}
      />
    </details>
  );
}
