import type { ServerView } from '../../shared/domain.ts';
import { shownState } from '../../shared/server-states.ts';
import { nameParts } from '../format/name-parts.ts';
import { describeOrigin } from '../format/server-origin.ts';
import { useServices } from '../services.ts';
import { extendTo, toggle } from '../store/selection.ts';
import { StateShape } from '../ui/state-shape.tsx';
import { shownNames } from './click-row.ts';
import { useToolWords } from './use-tool-words.ts';
import styles from './server-list.module.css';

interface NameCellProps {
  readonly server: ServerView;
  readonly href: string;
  readonly isSelected: boolean;
}

/** Box to select the row, shape of the state, name, and below it what the server is. */
export function NameCell({ server, href, isSelected }: NameCellProps) {
  const { name, target } = server;
  const { head, tail } = nameParts(name);
  const tools = useToolWords(name);
  return (
    <span role="cell" className={styles.name}>
      <SelectBox name={name} isSelected={isSelected} />
      <StateShape kind={shownState(server)} />
      <span className={styles.lines}>
        <a href={href} aria-label={`Open ${name}`} data-home data-tip={`${name}\n${target}`}>
          <span className={styles.head}>{head}</span>
          {tail !== '' && <span className={styles.tail}>{tail}</span>}
        </a>
        <span className={styles.origin}>{[describeOrigin(server), tools].filter(Boolean).join(' · ')}</span>
      </span>
    </span>
  );
}

/** Box for the pointer. Keys select from the name with Space, so the box is no stop of its own in a hundred rows. */
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
