import { CopyButton } from '../ui/copy-button.tsx';
import styles from './client-dialog.module.css';

/** Box with a text that is copied as a whole. */
export function SnippetBox({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className={`${styles.box} box flex items-start gap-8 justify-between`}>
      <pre
        className={`${styles.code} min-w-0 flex-1 overflow-auto wrap-anywhere select-text text-12/16`}
        tabIndex={0}
        aria-label={name}
      >
        {text}
      </pre>
      <CopyButton name="Copy the configuration" text={text} />
    </div>
  );
}
