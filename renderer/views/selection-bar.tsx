import { useShallow } from 'zustand/react/shallow';
import { commandWords, serverCommands } from '../../shared/server-states.ts';
import { askToRemoveMany, meantBy, runMany } from '../commands/many-commands.ts';
import { formatCount } from '../format/figures.ts';
import { hrefOf, MAX_COMPARED } from '../store/route-store.ts';
import { noSelection } from '../store/selection.ts';
import { usePanel, useServices, useView } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import styles from './list-bar.module.css';

/** Commands for the selected servers; the bar replaces the filters, so that no row moves. */
export function SelectionBar() {
  const services = useServices();
  const { view } = services;
  const selected = useView(({ selection }) => selection.names);
  const order = usePanel((state) => state.names);
  const names = order.filter((name) => selected.has(name));
  const servers = usePanel(useShallow((state) => names.flatMap((name) => state.servers.get(name) ?? [])));
  const number = formatCount(names.length);
  return (
    <div className={`${styles.bar} ${styles.selection}`} role="group" aria-label="Servers selected">
      <IconButton
        icon="close"
        name="Select none"
        tip="Select none  Esc"
        onClick={() => view.setState({ selection: noSelection })}
      />
      <span className={styles.number} role="status">
        {number} selected
      </span>
      {serverCommands.map((command) => (
        <TextButton
          key={command}
          aria-label={`${commandWords[command]} ${number} selected`}
          disabled={meantBy(servers, command).length === 0}
          onClick={() => runMany(services, command, names)}
        >
          <Icon name={command} size={14} />
          {commandWords[command]}
        </TextButton>
      ))}
      <TextButton
        disabled={names.length < 2 || names.length > MAX_COMPARED}
        data-tip={`Two to ${MAX_COMPARED} servers in one chart`}
        onClick={() => (window.location.hash = hrefOf({ view: 'compare', servers: names }))}
      >
        <Icon name="compare" size={14} />
        Compare
      </TextButton>
      <TextButton onClick={() => askToRemoveMany(services, names)}>Remove…</TextButton>
      <CopyButton name="Copy names" text={names.join('\n')} />
    </div>
  );
}
