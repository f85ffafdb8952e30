import { CopyButton } from '../ui/copy-button.tsx';
import styles from './client-dialog.module.css';

/** Box with a text that is copied as a whole. */
export function SnippetBox({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className={`${styles.box} box row-top gap-8 between`}>
      <pre className={`${styles.code} grow scroll break selectable small`} tabIndex={0} aria-label={name}>
        {text}
      </pre>
      <CopyButton name="Copy the configuration" text={text} />
    </div>
  );
}
