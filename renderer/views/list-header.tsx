import { Fragment } from 'react';
import { callMeanings } from '../format/call-figures.ts';
import { figureMeanings, restartsMeaning } from '../format/figures.ts';
import { nextSorting, type SortColumn } from '../format/list-choice.ts';
import { useServices, useView } from '../services.ts';
import { Icon } from '../ui/icon.tsx';
import { useShownColumns, type ShownColumns } from './use-shown-columns.ts';
import styles from './list-header.module.css';
import list from './server-list.module.css';

interface ColumnHeader {
  readonly column: SortColumn;
  readonly label: string;
  readonly tip: string;
  /** CSS class for the position of the header; columns of figures are right-aligned. */
  readonly place?: string;
  /** Name of the column if the user can hide it. */
  readonly optional?: Exclude<keyof ShownColumns, 'controls' | 'day' | 'curves'>;
}

const averaged = 'Sorted by the average of 10 s';
const right = styles.right ?? '';

const headers: readonly ColumnHeader[] = [
  { column: 'name', label: 'Server', tip: 'By name', place: styles.first ?? '' },
  { column: 'state', label: 'State', tip: 'By state, what asks for a hand first' },
  { column: 'memory', label: 'Memory', tip: `${figureMeanings.memory}\n${averaged}`, place: right },
  { column: 'cpu', label: 'CPU', tip: `${figureMeanings.cpu}\n${averaged}`, place: right },
  {
    column: 'processes',
    label: 'Processes',
    tip: 'Processes of its tree',
    place: `${right} ${list.processes}`,
    optional: 'processes',
  },
  {
    column: 'restarts',
    label: 'Restarts 24 h',
    tip: restartsMeaning,
    place: `${right} ${list.restarts}`,
    optional: 'restarts',
  },
  {
    column: 'calls',
    label: 'Calls 1 h',
    tip: callMeanings.calls,
    place: `${right} ${list.calls}`,
    optional: 'calls',
  },
  {
    ...{ column: 'lastUsed', label: 'Last used', tip: 'Last call to it', optional: 'lastUsed' },
    place: `${right} ${list.lastUsed}`,
  },
  {
    column: 'uptime',
    label: 'Uptime',
    tip: 'Since it came up',
    place: `${right} ${list.uptime}`,
    optional: 'uptime',
  },
];

/** Row of column headers. The first click on a header sorts, the second reverses, the third ends the sorting. */
export function ListHeader() {
  const shown = useShownColumns();
  return (
    <div role="row" aria-label="Column headers" className={`${list.header} ${styles.header} caption`}>
      {headers.map(
        (header) =>
          (header.optional === undefined || shown[header.optional]) && (
            <Fragment key={header.column}>
              <SortHeader {...header} />
              {header.column === 'state' && shown.day && (
                <span
                  role="columnheader"
                  data-tip="The worst of each 24 minutes: full bars are troubles, a foot is fine, nothing is stopped"
                >
                  Last 24 h
                </span>
              )}
            </Fragment>
          ),
      )}
    </div>
  );
}

function SortHeader({ column, label, tip, place = '' }: ColumnHeader) {
  const { view } = useServices();
  const sortBy = useView((state) => state.sortBy);
  const isDescending = useView((state) => state.isDescending);
  const isSorted = sortBy === column;
  const direction = isDescending ? 'descending' : 'ascending';
  return (
    <span role="columnheader" aria-sort={isSorted ? direction : 'none'} className={place}>
      <button
        type="button"
        className={`${styles.sort} flex items-center min-w-0 whitespace-nowrap`}
        data-tip={tip}
        onClick={() => view.setState(nextSorting(column, view.getState()))}
      >
        <span className={styles.label}>{label}</span>
        <span className={`${isSorted ? styles.sign : styles.noSign} flex flex-none`}>
          <Icon name={isSorted && isDescending ? 'down' : 'up'} size={12} />
        </span>
      </button>
    </span>
  );
}
