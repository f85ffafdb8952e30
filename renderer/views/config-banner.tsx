import { useState } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { usePanel } from '../services.ts';
import styles from './config-banner.module.css';

/**
 * Banner with the reason why servers.json was not applied, where to correct it, and which configuration is used
 * meanwhile. Absent while the file is valid.
 */
export function ConfigBanner() {
  const { path, error } = usePanel((state) => state.config);
  const hasServers = usePanel((state) => state.names.length > 0);
  const [isOpen, setOpen] = useState(false);
  if (error === undefined) return null;
  const place =
    error.line === undefined ? '' : `:${error.line}${error.column === undefined ? '' : `:${error.column}`}`;
  return (
    <section
      className={`${styles.banner} flex items-start gap-8 flex-none`}
      role="alert"
      aria-label="Configuration error"
    >
      <span className={styles.sign}>
        <Icon name="warning" />
      </span>
      <div
        className={
          isOpen
            ? `${styles.text} min-w-0 flex-1 wrap-anywhere select-text`
            : `${styles.cut} min-w-0 flex-1 wrap-anywhere select-text truncate`
        }
      >
        <p>
          <strong>Changes in servers.json were not applied: </strong>
          {error.message}
          {error.line !== undefined && (
            <span>
              {' '}
              (line {error.line}
              {error.column !== undefined && `, column ${error.column}`})
            </span>
          )}
        </p>
        <p className="text-dim" hidden={!isOpen}>
          {hasServers && 'The panel goes on with the last version that could be read. '}
          Correct <code className="text-12">{path}</code> and save; it is read again at once.
        </p>
      </div>
      <TextButton look="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Less' : 'Show'}
      </TextButton>
      <CopyButton name="Copy the path and the error" text={`${path}${place}\n${error.message}`} />
    </section>
  );
}
