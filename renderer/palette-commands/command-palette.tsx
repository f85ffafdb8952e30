import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { shownMark } from '../../shared/server-states.ts';
import { useTheme } from '../settings/use-theme.ts';
import { Icon } from '../ui/icon.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { usePanel, useRoute, useServices } from '../services.ts';
import { panelCommands, type PanelCommand } from './panel-commands.ts';
import { rank, type Ranked } from './rank.ts';
import { noteRecent, readRecent, recentFirst } from './recent-commands.ts';
import styles from './command-palette.module.css';
import { ownValue } from '../../shared/own-value.ts';

/** Commands shown at most, because further ones are found by typing. */
const MAX_SHOWN = 60;

/** Palette of all commands by name: type a few letters, press Enter. */
export function CommandPalette() {
  const services = useServices();
  const { manage, panel } = services;
  const route = useRoute();
  const names = usePanel((state) => state.names);
  const theme = useTheme();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, typed]);

  const current = route.view === 'server' ? route.name : undefined;
  const commands = useMemo(() => {
    const servers = names.flatMap((name) => panel.getState().servers.get(name) ?? []);
    return recentFirst(
      panelCommands({ context: { ...services, theme }, servers, current }),
      readRecent(localStorage),
    );
    // Commands are fixed when the palette opens, so that nothing moves under the hand.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [services, names, current]);
  const found = useMemo(
    () => rank(commands, typed, ({ words }) => words).slice(0, MAX_SHOWN),
    [commands, typed],
  );
  const at = Math.min(chosen, found.length - 1);

  const run = (command: PanelCommand) => {
    manage.close();
    if (command.isNotRecent !== true) noteRecent(localStorage, command.words);
    // The command runs after the focus has returned, so that a dialog gives it back there as well.
    requestAnimationFrame(() => command.run());
  };
  const press = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % Math.max(found.length, 1),
      ArrowUp: (at + found.length - 1) % Math.max(found.length, 1),
      PageDown: Math.min(at + 8, found.length - 1),
      PageUp: Math.max(at - 8, 0),
    };
    const move = ownValue(moves, event.key);
    const command = found[at]?.item;
    if (event.key === 'Escape') manage.close();
    else if (event.key === 'Enter' && command !== undefined) run(command);
    else if (move !== undefined) setChosen(move);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label="Commands"
      onKeyDown={press}
      onCancel={() => manage.close()}
      // Only a press beside the palette has the dialog itself as its target.
      onPointerDown={(event) => event.target === event.currentTarget && manage.close()}
    >
      <div>
        <label className={styles.search}>
          <Icon name="search" />
          <input
            className={styles.input}
            role="combobox"
            aria-label="Command"
            aria-expanded
            aria-controls="commands"
            aria-activedescendant={found.length > 0 ? `command-${at}` : undefined}
            autoFocus
            spellCheck={false}
            placeholder="Server or command"
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setChosen(0);
            }}
          />
        </label>
        <div id="commands" role="listbox" aria-label="Commands" className={styles.list}>
          {found.map((one, index) => (
            <div
              key={one.item.words}
              id={`command-${index}`}
              role="option"
              aria-selected={index === at}
              className={styles.command}
              onPointerMove={() => setChosen(index)}
              onClick={() => run(one.item)}
            >
              <span className={styles.sign}>
                {one.item.server !== undefined && <StateShape kind={shownMark(one.item.server)} />}
              </span>
              <span className={styles.words}>
                <Words of={one} />
              </span>
              {one.item.figures !== undefined && <span className={styles.figures}>{one.item.figures}</span>}
              {one.item.shortcut !== '' && <kbd className={styles.shortcut}>{one.item.shortcut}</kbd>}
            </div>
          ))}
        </div>
        {found.length === 0 && <p className={styles.none}>Nothing is called “{typed}”.</p>}
      </div>
    </dialog>
  );
}

function Words({ of: { item, hits } }: { readonly of: Ranked<PanelCommand> }) {
  const hit = new Set(hits);
  return [...item.words].map((letter, index) => (hit.has(index) ? <b key={index}>{letter}</b> : letter));
}
