import { useCallback, useEffect } from 'react';
import { useStore } from 'zustand/react';
import { useServer, useServices } from '../services.ts';
import { Menu, type MenuBox } from '../ui/menu.tsx';
import { serverCommandsById } from './command-table.ts';
import { MomentMenu } from './moment-menu.tsx';
import { shownKeys } from './shortcuts.ts';

/** Commands of the row menu. The logs come first because they are used most. */
const commands = [...serverCommandsById]
  .filter(([, { menu }]) => menu !== undefined)
  .toSorted(([a], [b]) => Number(b === 'logs') - Number(a === 'logs'));

/** Menu of a row or moment. The whole app window shares one, because otherwise each of a hundred rows would build a menu. */
export function OpenMenu() {
  const { manage } = useServices();
  const place = useStore(manage.state, ({ menu }) => menu);
  const close = useCallback(() => manage.setMenu(undefined), [manage]);
  // Closes an open menu when this component is unmounted. That happens with every change of the view, and the menu belongs to
  // the old view.
  useEffect(() => close, [close]);
  if (place === undefined) return null;
  const { box, of } = place;
  return 'at' in of ? (
    <MomentMenu key={of.at} moment={of} box={box} onClose={close} />
  ) : (
    <ServerMenu key={of.server} name={of.server} box={box} onClose={close} />
  );
}

interface ServerMenuProps {
  readonly name: string;
  readonly box: MenuBox;
  readonly onClose: () => void;
}

function ServerMenu({ name, box, onClose }: ServerMenuProps) {
  const services = useServices();
  const server = useServer(name);
  if (server === undefined) return null;
  const items = commands.flatMap(([id, { menu, when, run, ...command }]) => {
    const label = typeof menu === 'function' ? menu(server, services) : menu;
    if (label === undefined) return [];
    const keys = shownKeys(command);
    return {
      ...{ label, keys, isOff: when?.(server) === false, isApart: id === 'remove' },
      run: () => run(services, name),
    };
  });
  return <Menu name={`More for ${name}`} {...{ box, items, onClose }} />;
}
