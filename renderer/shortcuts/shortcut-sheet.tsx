import { useServices } from '../services.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { shortcutGroups, type ShortcutGroup } from '../commands/command-table.ts';
import { shortcutsIn } from '../commands/shortcuts.ts';
import styles from './shortcut-sheet.module.css';

/** Sheet of all shortcuts, for reference. */
export function ShortcutSheet() {
  const { manage } = useServices();
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={() => manage.close()}
      foot={
        <TextButton data-autofocus onClick={() => manage.close()}>
          Close
        </TextButton>
      }
    >
      <div className={styles.groups}>
        {shortcutGroups.map((group) => (
          <Group key={group} title={group} />
        ))}
      </div>
    </Dialog>
  );
}

function Group({ title }: { readonly title: ShortcutGroup }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.list}>
        {shortcutsIn(title).map(({ words, keys }) => (
          <div key={words} className={styles.line}>
            <dt>{words}</dt>
            <dd>
              <kbd className={styles.keys}>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
