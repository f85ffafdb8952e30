import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { TooltipLayer } from './tooltip-layer.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  /** Called by Escape or the close button. It may ask first and leave the dialog open. */
  readonly onClose: () => void;
  /** Called by ⌘Enter or Ctrl+Enter in any field. */
  readonly onSubmit?: () => void;
  readonly size?: 'small' | 'large';
  /** Content beside the title. */
  readonly aside?: ReactNode;
  /** Footer that stays visible below the scrolled content. */
  readonly foot: ReactNode;
  readonly children?: ReactNode;
}

/** Modal dialog on top of the view. */
export function Dialog({ title, onClose, onSubmit, size = 'large', aside, foot, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    // The browser's modal keeps the focus inside, and restores it afterwards.
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
      className={`${size === 'small' ? styles.small : styles.large} pop`}
      aria-labelledby={titleId}
      onKeyDown={press}
      // Cancel events are handled, because some ways to dismiss a dialog bypass the keyboard.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className={`${styles.head} row gap-8 rigid`}>
        <h2 id={titleId} className={`${styles.title} grow cut strong`}>
          {title}
        </h2>
        {aside}
        <IconButton icon="close" name="Close" tip="Close  Esc" onClick={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
      <footer className={styles.foot}>{foot}</footer>
      {/* A tooltip layer of its own, because the layer of the window is below the dialog. */}
      <TooltipLayer />
    </dialog>
  );
}

const firsts = [
  '[data-autofocus]',
  `.${styles.body} :is(input, textarea, select):enabled`,
  `.${styles.foot} button:enabled`,
];

/** Control that gets the focus first, because the browser would choose the first one, even the close button. */
const firstOf = (dialog: HTMLElement | null): HTMLElement | null | undefined =>
  firsts.map((selector) => dialog?.querySelector<HTMLElement>(selector)).find((found) => found != null);
