import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { TextButton } from './text-button.tsx';
import { TooltipLayer } from './tooltip-layer.tsx';
import styles from './dialog.module.css';

/** Action of the main button, and of ⌘Enter or Ctrl+Enter in any field. */
interface MainAction {
  readonly words: string;
  readonly run: () => void;
  readonly isDisabled?: boolean;
  readonly isBusy?: boolean;
  readonly look?: 'main' | 'danger';
  /** Button that has the focus first; by default a field has it. */
  readonly focus?: 'yes' | 'no';
  readonly tip?: string | undefined;
  /** Label of the button that closes the dialog instead. */
  readonly no?: string;
}

interface DialogProps {
  readonly title: string;
  /** Called by Escape or the close button. It may ask first and leave the dialog open. */
  readonly onClose: () => void;
  /** What the dialog is for; without it, the footer holds all buttons. */
  readonly main?: MainAction | undefined;
  readonly size?: 'small' | 'large';
  /** Content beside the title. */
  readonly aside?: ReactNode;
  /** Footer that stays visible below the scrolled content, before the buttons of `main`. */
  readonly foot?: ReactNode;
  readonly children?: ReactNode;
}

/** Modal dialog on top of the view. */
export function Dialog({ title, onClose, main, size = 'large', aside, foot, children }: DialogProps) {
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
    if (!isSubmit) onClose();
    else if (main && main.isDisabled !== true && main.isBusy !== true) main.run();
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
      <header className={`${styles.head} flex items-center gap-8 flex-none`}>
        <h2 id={titleId} className={`${styles.title} min-w-0 flex-1 truncate font-semibold`}>
          {title}
        </h2>
        {aside}
        <IconButton icon="close" name="Close" tip="Close  Esc" onClick={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
      <footer className={styles.foot}>
        {foot}
        {main && <MainButtons main={main} onClose={onClose} />}
      </footer>
      {/* A tooltip layer of its own, because the layer of the window is below the dialog. */}
      <TooltipLayer />
    </dialog>
  );
}

const MainButtons = ({ main, onClose }: { readonly main: MainAction; readonly onClose: () => void }) => (
  <>
    <TextButton data-autofocus={main.focus === 'no' || undefined} onClick={onClose}>
      {main.no ?? 'Cancel'}
    </TextButton>
    <TextButton
      look={main.look ?? 'main'}
      data-autofocus={main.focus === 'yes' || undefined}
      data-tip={main.tip}
      disabled={main.isDisabled}
      isBusy={main.isBusy ?? false}
      onClick={main.run}
    >
      {main.words}
    </TextButton>
  </>
);

const firsts = [
  '[data-autofocus]',
  `.${styles.body} :is(input, textarea, select):enabled`,
  `.${styles.foot} button:enabled`,
];

/** Control that gets the focus first, because the browser would choose the first one, even the close button. */
const firstOf = (dialog: HTMLElement | null): HTMLElement | null | undefined =>
  firsts.map((selector) => dialog?.querySelector<HTMLElement>(selector)).find((found) => found != null);
