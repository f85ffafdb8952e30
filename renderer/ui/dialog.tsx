import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { TextButton } from './text-button.tsx';
import { TooltipLayer } from './tooltip-layer.tsx';

/** Action of the main button, also triggered by ⌘Enter or Ctrl+Enter in any field. */
interface MainAction {
  readonly words: string;
  readonly run: () => void;
  readonly isDisabled?: boolean;
  readonly isBusy?: boolean;
  readonly look?: 'main' | 'danger';
  /**
   * Which button gets the initial focus: `yes` is the main button, `no` is the other one. By default, the first field gets it.
   */
  readonly focus?: 'yes' | 'no';
  readonly tip?: string | undefined;
  /** Label of the button that closes the dialog without the action. */
  readonly no?: string;
}

interface DialogProps {
  readonly title: string;
  /** Called on Escape or the close button. It may ask the user first and leave the dialog open. */
  readonly onClose: () => void;
  /** Main action of the dialog. If it is undefined, `foot` has to contain all buttons. */
  readonly main?: MainAction | undefined;
  readonly size?: 'small' | 'large';
  /** Content beside the title. */
  readonly aside?: ReactNode;
  /** Footer content before the buttons of `main`. The footer stays visible below the scrolled content. */
  readonly foot?: ReactNode;
  readonly children?: ReactNode;
}

const sizes = {
  small: 'w-440 max-h-[calc(100vh-32px)] m-auto',
  // The top edge of a large dialog is fixed, so that its header stays in place while the content grows.
  large: 'w-760 max-h-[calc(100vh-max(16px,9vh)-16px)] mx-auto mt-[max(16px,9vh)] mb-auto',
};
/** Classes for a text in the footer, which takes up the space that the buttons leave. */
const FOOT_WORDS = '[&>p]:min-w-200 [&>p]:flex-1 [&>p]:text-dim [&>p]:wrap-anywhere';

/** Modal dialog on top of the view. */
export function Dialog({ title, onClose, main, size = 'large', aside, foot, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    // The browser keeps the focus inside a modal dialog, and restores it afterwards.
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
      className={`modal ${sizes[size]} flex-col open:flex`}
      aria-labelledby={titleId}
      onKeyDown={press}
      // The cancel event is handled, too, because some ways to dismiss a dialog bypass the keyboard.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="flex items-center gap-8 flex-none h-48 pr-12 pl-16">
        <h2 id={titleId} className="min-w-0 flex-1 truncate text-16 font-semibold">
          {title}
        </h2>
        {aside}
        <IconButton icon="close" name="Close" tip="Close  Esc" onClick={onClose} />
      </header>
      <div className="flex-auto min-h-0 px-16 pt-4 pb-16 overflow-auto empty:hidden">{children}</div>
      <footer
        // The buttons of a small dialog, such as a question, are at the right, like the buttons of every other dialog.
        className={`flex flex-none flex-wrap items-center gap-8 px-16 py-8 border-t border-line bg-ground ${size === 'small' ? 'justify-end' : ''} ${FOOT_WORDS}`}
      >
        {foot}
        {main && <MainButtons main={main} onClose={onClose} />}
      </footer>
      {/* The dialog has its own tooltip layer, because the layer of the window is below the dialog. */}
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
  ':scope > div :is(input, textarea, select):enabled',
  ':scope > footer button:enabled',
];

/** Control that gets the initial focus. Without this, the browser would focus the first control, even the close button. */
const firstOf = (dialog: HTMLElement | null): HTMLElement | null | undefined =>
  firsts.map((selector) => dialog?.querySelector<HTMLElement>(selector)).find((found) => found != null);
