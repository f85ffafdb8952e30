import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useStore } from 'zustand/react';
import { useServer, useServices } from '../services.ts';
import type { MenuPlace } from '../store/manage-store.ts';
import { serverCommandsById } from './command-table.ts';
import { shownKeys } from './shortcuts.ts';
import styles from './server-menu.module.css';
import { ownValue } from '../../shared/own-value.ts';

/** Commands of the menu; the logs come first because they are used most. */
const items = [...serverCommandsById]
  .filter(([, { menu }]) => menu !== undefined)
  .toSorted(([a], [b]) => Number(b === 'logs') - Number(a === 'logs'));

/** Menu of a row. There is one for the whole app window, because a menu per row would be built a hundred times. */
export function ServerMenu() {
  const { manage } = useServices();
  const place = useStore(manage.state, (state) => state.menu);
  return place === undefined ? null : <OpenMenu key={place.server} place={place} />;
}

const HEIGHT_PX = 374;

function OpenMenu({ place }: { readonly place: MenuPlace }) {
  const services = useServices();
  const { manage } = services;
  const server = useServer(place.server);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    const closeOutside = (event: Event) => {
      if (!(event.target instanceof Node) || menu.current?.contains(event.target) !== true)
        manage.setMenu(undefined);
    };
    const close = () => manage.setMenu(undefined);
    menu.current?.querySelector<HTMLElement>('button:enabled')?.focus();
    document.addEventListener('pointerdown', closeOutside, true);
    document.addEventListener('scroll', close, true);
    window.addEventListener('blur', close);
    return () => {
      document.removeEventListener('pointerdown', closeOutside, true);
      document.removeEventListener('scroll', close, true);
      window.removeEventListener('blur', close);
      // Focus returns to the opener, so that a dialog opened next returns it there, too.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [manage]);

  if (server === undefined) return null;
  const fitsBelow = place.bottom + HEIGHT_PX < window.innerHeight;
  const vertical = fitsBelow ? { top: place.bottom + 2 } : { bottom: window.innerHeight - place.top + 2 };
  return (
    <div
      ref={menu}
      role="menu"
      aria-label={`More for ${place.server}`}
      className={styles.menu}
      style={{ right: window.innerWidth - place.right, ...vertical }}
      onKeyDown={(event) => press(event, () => manage.setMenu(undefined))}
    >
      {items.map(([id, { menu, when, run, ...command }]) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          disabled={when?.(server) === false}
          className={id === 'remove' ? styles.last : styles.item}
          onPointerMove={(event) => event.currentTarget.focus()}
          onClick={() => {
            manage.setMenu(undefined);
            // The command runs after the focus has returned, so that a dialog also returns it there.
            requestAnimationFrame(() => run(services, place.server));
          }}
        >
          <span>{typeof menu === 'function' ? menu(server) : menu}</span>
          <kbd className={styles.shortcut}>{shownKeys(command)}</kbd>
        </button>
      ))}
    </div>
  );
}

function press(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]:enabled')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  // The next item with the letter, because several may begin with it.
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
