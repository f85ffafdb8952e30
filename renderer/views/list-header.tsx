import { Fragment } from 'react';
import { callMeanings } from '../format/call-figures.ts';
import { figureMeanings, restartsMeaning } from '../format/figures.ts';
import { nextSorting, type SortColumn } from '../format/list-choice.ts';
import { useServices, useView } from '../services.ts';
import { Icon } from '../ui/icon.tsx';
import { columns, columnsWithCurves, line, useShownColumns } from './list-columns.ts';

interface ColumnHeader {
  readonly column: SortColumn;
  readonly label: string;
  readonly tip: string;
}

const averaged = 'Sorted by the average of 10 s';

const headers: readonly ColumnHeader[] = [
  { column: 'name', label: 'Server', tip: 'By name' },
  { column: 'state', label: 'State', tip: 'By state, servers that need attention first' },
  { column: 'memory', label: 'Memory', tip: `${figureMeanings.memory}\n${averaged}` },
  { column: 'cpu', label: 'CPU', tip: `${figureMeanings.cpu}\n${averaged}` },
  { column: 'processes', label: 'Processes', tip: 'Processes in its tree' },
  { column: 'restarts', label: 'Restarts 24 h', tip: restartsMeaning },
  { column: 'calls', label: 'Calls 1 h', tip: callMeanings.calls },
  { column: 'lastUsed', label: 'Last used', tip: 'Last call to it' },
  { column: 'uptime', label: 'Uptime', tip: 'Since it started' },
];

/** Row of column headers. The first click sorts by the column, the second reverses it, the third restores the default order. */
export function ListHeader() {
  const shown = useShownColumns();
  const widths = shown.curves ? columnsWithCurves : columns;
  const canHide: Partial<Record<SortColumn, boolean>> = shown;
  return (
    <div
      role="row"
      aria-label="Column headers"
      className={`${line} sticky top-0 z-2 h-30 border-b border-line bg-ground caption`}
    >
      {headers.map(
        (header) =>
          canHide[header.column] !== false && (
            <Fragment key={header.column}>
              <SortHeader {...header} width={widths[header.column]} />
              {header.column === 'state' && shown.day && (
                <span
                  role="columnheader"
                  className={columns.day}
                  data-tip="The worst state in each 24 minutes: a full bar is a problem, a short bar is fine, no bar is stopped"
                >
                  Last 24 h
                </span>
              )}
            </Fragment>
          ),
      )}
      {shown.controls && <span className={columns.controls} />}
    </div>
  );
}

/** Header of a column. Headers of numbers are right-aligned, with the sort sign first so that label and numbers stay aligned. */
function SortHeader({ column, label, tip, width }: ColumnHeader & { readonly width: string }) {
  const { view } = useServices();
  const sortBy = useView((state) => state.sortBy);
  const isDescending = useView((state) => state.isDescending);
  const isSorted = sortBy === column;
  const isFigure = column !== 'name' && column !== 'state';
  const direction = isDescending ? 'descending' : 'ascending';
  return (
    <span
      role="columnheader"
      aria-sort={isSorted ? direction : 'none'}
      // The first label is aligned with the state glyphs of the rows.
      className={`flex ${isFigure ? 'justify-end' : ''} ${column === 'name' ? 'pl-12' : ''} ${width}`}
    >
      <button
        type="button"
        className={`flex items-center gap-2 min-w-0 h-22 -mx-4 px-4 rounded-sm ${isFigure ? 'flex-row-reverse' : ''} ${isSorted ? 'text-text' : 'hover:text-text'}`}
        data-tip={tip}
        onClick={() => view.setState(nextSorting(column, view.getState()))}
      >
        <span className="truncate">{label}</span>
        {(isSorted || !isFigure) && (
          <span className={`flex flex-none ${isSorted ? 'text-accent' : 'invisible'}`}>
            <Icon name={isSorted && isDescending ? 'down' : 'up'} size={12} />
          </span>
        )}
      </button>
    </span>
  );
}
