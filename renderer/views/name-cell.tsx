import { memo } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import { shownMark } from '../../shared/server-states.ts';
import { describeOrigin } from '../format/server-origin.ts';
import { usePanel, useServices } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { extendTo, toggle } from '../store/selection.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { shownNames } from './click-row.ts';
import { useToolWords } from './use-tool-words.ts';
import styles from './server-list.module.css';

interface NameCellProps {
  readonly name: string;
  readonly isSelected: boolean;
}

/** Box to select the row, shape of the state, name, and below it the command or address. It shows no figures. */
export const NameCell = memo(function NameCell({ name, isSelected }: NameCellProps) {
  const kind = useOf(name, shownMark);
  const target = useOf(name, (server) => server.target);
  const origin = useOf(name, describeOrigin);
  const tools = useToolWords(name);
  return (
    <span role="cell" className={styles.name}>
      <SelectBox name={name} isSelected={isSelected} />
      <StateShape kind={kind ?? 'stopped'} />
      <span className={styles.lines}>
        <a href={serverHref(name)} aria-label={`Open ${name}`} data-home data-tip={`${name}\n${target}`}>
          <MiddleCut name={name} />
        </a>
        <span className={styles.origin}>{[origin, tools].filter(Boolean).join(' · ')}</span>
      </span>
    </span>
  );
});

/** Value read from a server; undefined if the server is unknown. */
const useOf = <T,>(name: string, read: (server: ServerView) => T): T | undefined =>
  usePanel((state) => {
    const server = state.servers.get(name);
    return server && read(server);
  });

/** Checkbox for the pointer. It is no Tab stop, because Space on the name selects, and there may be a hundred rows. */
function SelectBox({ name, isSelected }: { readonly name: string; readonly isSelected: boolean }) {
  const { view } = useServices();
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={`Select ${name}`}
        checked={isSelected}
        onChange={() => undefined}
        onClick={(event) => {
          const { selection } = view.getState();
          const next = event.shiftKey
            ? extendTo(selection, shownNames(event.currentTarget), name)
            : toggle(selection, name);
          view.setState({ selection: next });
        }}
      />
    </label>
  );
}
