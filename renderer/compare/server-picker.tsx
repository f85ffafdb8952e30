import { NativeSelect } from '@mantine/core';
import { colourOf, type ColourSlots } from '../charts/colour-slots.ts';
import { usePanel } from '../services.ts';
import { hrefOf, MAX_COMPARED, serverHref } from '../store/route-store.ts';
import { IconButton } from '../ui/icon-button.tsx';
import styles from './compare-view.module.css';

interface ComparedServersProps {
  readonly servers: readonly string[];
  readonly slots: ColourSlots;
}

const NONE = '';

/** Choice of one more server to compare. What is chosen stands in the address. */
export function ServerPicker({ servers }: Pick<ComparedServersProps, 'servers'>) {
  const names = usePanel((state) => state.names);
  const others = names.filter((name) => !servers.includes(name));
  const isFull = servers.length >= MAX_COMPARED;
  return (
    <NativeSelect
      size="xs"
      w={150}
      aria-label="Add a server"
      disabled={isFull || others.length === 0}
      value={NONE}
      onChange={({ currentTarget: { value } }) => value !== NONE && show([...servers, value])}
      data={[{ value: NONE, label: isFull ? 'No more than six' : 'Add a server…' }, ...others]}
    />
  );
}

/** Servers that are compared, each with its colour. */
export function ComparedServers({ servers, slots }: ComparedServersProps) {
  return (
    <ul className={styles.chips} aria-label="Servers compared">
      {servers.map((server) => (
        <li key={server} className={styles.chip}>
          <span className={styles.swatch} style={{ background: colourOf(server, slots) }} />
          <a href={serverHref(server)}>{server}</a>
          <IconButton
            icon="close"
            name={`Leave out ${server}`}
            onClick={() => show(servers.filter((one) => one !== server))}
          />
        </li>
      ))}
    </ul>
  );
}

function show(servers: readonly string[]): void {
  window.location.hash = hrefOf({ view: 'compare', servers });
}
