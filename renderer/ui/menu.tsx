import { useEffect, useRef, type KeyboardEvent } from 'react';
import { ownValue } from '../../shared/own-value.ts';

/** Position of a menu in the window in px: below `bottom` or, if it does not fit, above `top`. Its right edge is at `right`. */
export interface MenuBox {
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface MenuItem {
  readonly label: string;
  readonly keys?: string;
  readonly isOff?: boolean;
  /** Whether the item is separated by a line, because its command is destructive. */
  readonly isApart?: boolean;
  readonly run: () => void;
}

interface MenuProps {
  /** Accessible name. */
  readonly name: string;
  readonly box: MenuBox;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

const looks = {
  plain: 'disabled:text-faint disabled:opacity-60',
  apart:
    'relative mt-8 text-failed before:absolute before:inset-x-0 before:-top-5 before:border-t before:border-line',
};

/** Maximum width of a menu. */
const WIDTH_PX = 184;
const MARGIN_PX = 8;
const ITEM_PX = 28;
/** Height of the frame, plus the line above a separated item. */
const FRAME_PX = 38;

/** Position of a menu beside the pointer, inside the app window. */
export const boxAt = (x: number, y: number): MenuBox => ({
  right: Math.min(x + WIDTH_PX, window.innerWidth - MARGIN_PX),
  top: y,
  bottom: y,
});

/**
 * Menu that takes the focus when it opens. Arrow keys and first letters move the focus between its items. The menu closes when
 * the user interacts with anything outside it.
 */
export function Menu({ name, box, items, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    const closeOutside = (event: Event) => {
      if (!(event.target instanceof Node) || menu.current?.contains(event.target) !== true) onClose();
    };
    menu.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus();
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('pointerdown', closeOutside, { capture: true, signal });
    // The wheel event is used instead of the scroll event, because a log also scrolls automatically when new lines arrive.
    document.addEventListener('wheel', onClose, { capture: true, signal });
    window.addEventListener('blur', onClose, { signal });
    window.addEventListener('hashchange', onClose, { signal });
    return () => {
      listening.abort();
      // The focus returns to the element that opened the menu. A dialog that a menu command opens then also returns the focus
      // to that element.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [onClose]);

  const fitsBelow = box.bottom + items.length * ITEM_PX + FRAME_PX < window.innerHeight;
  const vertical = fitsBelow ? { top: box.bottom + 2 } : { bottom: window.innerHeight - box.top + 2 };
  return (
    <div
      ref={menu}
      role="menu"
      aria-label={name}
      className="pop fixed z-50 flex flex-col min-w-176 p-4"
      style={{ right: window.innerWidth - box.right, ...vertical }}
      onKeyDown={(event) => press(event, onClose)}
    >
      {items.map(({ label, keys, isOff = false, isApart = false, run }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          disabled={isOff}
          className={`group flex items-center justify-between gap-16 h-28 px-8 rounded-md focus:bg-accent-soft ${looks[isApart ? 'apart' : 'plain']}`}
          onPointerMove={(event) => event.currentTarget.focus()}
          onClick={() => {
            onClose();
            // The command runs after the focus has returned to the element that opened the menu. A dialog that the command
            // opens then also returns the focus to that element.
            requestAnimationFrame(run);
          }}
        >
          <span>{label}</span>
          <kbd className="shortcut group-focus:text-dim">{keys}</kbd>
        </button>
      ))}
    </div>
  );
}

function press(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  // The search starts after the current item, because several items may begin with the letter.
  const byLetter = [...items.slice(at + 1), ...items.slice(0, at + 1)].find(({ textContent }) =>
    textContent?.toLowerCase().startsWith(event.key.toLowerCase()),
  );
  const moves: Readonly<Record<string, HTMLElement | undefined>> = {
    ArrowDown: items[(at + 1) % items.length],
    ArrowUp: items.at(at < 1 ? -1 : at - 1),
    Home: items[0],
    End: items.at(-1),
  };
  if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (event.ctrlKey || event.metaKey || event.key === 'Enter' || event.key === ' ') return;
  else (ownValue(moves, event.key) ?? byLetter)?.focus();
  event.preventDefault();
}
