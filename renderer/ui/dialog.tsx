import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { TooltipLayer } from './tooltip-layer.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  /** Escape, or the cross. May ask first, and leave the dialog open. */
  readonly onClose: () => void;
  /** What ⌘Enter or Ctrl+Enter does, from whichever field. */
  readonly onSubmit?: () => void;
  readonly size?: 'small' | 'large';
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** Stays in view below what scrolls. */
  readonly foot: ReactNode;
  readonly children?: ReactNode;
}

/** A question or a task on top of the view, which is out of reach meanwhile. */
export function Dialog({ title, onClose, onSubmit, size = 'large', aside, foot, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    // The browser's own: it keeps the focus inside, and gives it back.
    element?.showModal();
    firstOf(element)?.focus();
    return () => element?.close();
  }, []);

  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const isSubmit = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (event.key !== 'Escape' && !isSubmit) return;
    event.preventDefault();
    if (isSubmit) onSubmit?.();
    else onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={size === 'small' ? styles.small : styles.large}
      aria-labelledby={titleId}
      onKeyDown={press}
      // Some ways to dismiss bypass the keyboard.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {aside}
        <IconButton icon="close" name="Close" tip="Close  Esc" onClick={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
      <footer className={styles.foot}>{foot}</footer>
      {/* The layer of the window lies below. */}
      <TooltipLayer />
    </dialog>
  );
}

const firsts = [
  '[data-autofocus]',
  `.${styles.body} :is(input, textarea, select):enabled`,
  `.${styles.foot} button:enabled`,
];

/** What one begins with: the browser would take whatever stands first, be it the cross. */
const firstOf = (dialog: HTMLElement | null): HTMLElement | null | undefined =>
  firsts.map((selector) => dialog?.querySelector<HTMLElement>(selector)).find((found) => found != null);
