import { useMemo, useState } from 'react';
import {
  formatDate,
  formatDay,
  formatHourMinute,
  formatMoment,
  formatSpanOfTime,
} from '../format/moments.ts';
import { IconButton } from '../ui/icon-button.tsx';
import type { CallCurve } from './call-curves.ts';
import type { TimeWindow } from './downsample.ts';
import { SaveTools, useSaving } from './save.tsx';
import { stackCsv } from './series-csv.ts';
import type { Curve } from './series.ts';
import { stackTable, type StackTable, type TableColumn } from './stack-table.ts';
import { MISSING } from '../format/figures.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { bandWords } from './chart-cursor.ts';
import { Unseen } from '../ui/page.tsx';
import styles from './table.module.css';
import { MINUTE_MS } from '../../shared/units.ts';

interface StackToolsProps {
  readonly server: string;
  readonly curves: readonly (Curve | CallCurve)[];
  readonly bucketMs: number;
  readonly window: TimeWindow;
  /** Element that is saved as a picture; null while nothing is drawn. */
  readonly drawn: HTMLElement | null;
}

/** Buttons to show the charts as a table and to save them as CSV or PNG. */
export function StackTools({ server, curves, bucketMs, window, drawn }: StackToolsProps) {
  const [open, setOpen] = useState<{ readonly table: StackTable; readonly window: TimeWindow }>();
  const saving = useSaving(server);
  return (
    <>
      <SaveTools
        {...{ saving, window, drawn }}
        csv={() => stackCsv(stackTable(curves, bucketMs))}
        title={`${server}, ${formatSpanOfTime(window)}`}
      >
        <IconButton
          icon="table"
          name="Show as table"
          onClick={() => setOpen({ window, table: stackTable(curves, bucketMs) })}
        />
      </SaveTools>
      {open !== undefined && (
        <StackDialog
          server={server}
          {...open}
          onSave={() => saving.save('csv', open.window, () => stackCsv(open.table))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

interface StackDialogProps {
  readonly server: string;
  /** Copy of the table from when the dialog opened, because a table that keeps changing cannot be read. */
  readonly table: StackTable;
  readonly window: TimeWindow;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** Dialog that shows the charts' values as a table, for reading single values and for screen readers. */
function StackDialog({ server, table, window, onSave, onClose }: StackDialogProps) {
  return (
    <Dialog
      title={`Figures of ${server}, ${formatSpanOfTime(window)}`}
      onClose={onClose}
      foot={
        <>
          <TextButton onClick={onSave}>Save as CSV…</TextButton>
          <TextButton data-autofocus look="main" onClick={onClose}>
            Close
          </TextButton>
        </>
      }
    >
      {table.times.length === 0 ? (
        <p>Nothing was measured in this time.</p>
      ) : (
        <>
          {table.columns.some(({ parts }) => parts?.least !== undefined) && (
            <p className="pb-8 text-dim">Averages, and below them the least and the most.</p>
          )}
          <div
            className="max-h-[60vh] overflow-auto border border-line rounded-md"
            role="group"
            aria-label="Rows"
            tabIndex={0}
          >
            <FigureTable {...{ server, table, window }} />
          </div>
        </>
      )}
    </Dialog>
  );
}

function FigureTable({ server, table, window }: Pick<StackDialogProps, 'server' | 'table' | 'window'>) {
  const { times, columns } = table;
  const hasSeconds = times.some((time) => time % MINUTE_MS !== 0);
  const rows = useMemo(() => {
    const momentOf = hasSeconds ? formatMoment : (at: number) => `${formatDay(at)} ${formatHourMinute(at)}`;
    return times.map((time, index) => (
      <tr key={time}>
        <th scope="row">
          <time dateTime={new Date(time).toISOString()}>{momentOf(time)}</time>
        </th>
        {columns.map((column) => (
          <Cell key={column.figure.id} column={column} index={index} />
        ))}
      </tr>
    ));
  }, [times, columns, hasSeconds]);
  return (
    <table className={`${styles.table} whitespace-nowrap`}>
      <caption>
        <Unseen>
          Figures of {server} from {formatDate(window.from)} on, oldest first
        </Unseen>
      </caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {columns.map(({ figure, parts }) => (
            <th key={figure.id} scope="col">
              {figure.title}
              {parts !== undefined &&
                (parts.least === undefined ? (
                  <span className="block text-12/16 text-dim font-normal">{headOf(parts)}</span>
                ) : (
                  <Unseen>{headOf(parts)}</Unseen>
                ))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{rows}</tbody>
    </table>
  );
}

const headOf = ({ average, least, most }: NonNullable<TableColumn['parts']>): string =>
  least === undefined ? `${average}, ${most}` : `${average}, ${least} to ${most}`;

function Cell({ column, index }: { readonly column: TableColumn; readonly index: number }) {
  const { figure, parts, rows } = column;
  const row = rows[index];
  if (row?.average == null) return <td className="text-faint">{MISSING}</td>;
  return (
    <td>
      {figure.format(row.average)}
      {parts !== undefined && (
        <span className="block text-12/16 text-dim font-normal">{bandOf(row, column)}</span>
      )}
    </td>
  );
}

function bandOf(row: NonNullable<TableColumn['rows'][number]>, { figure, parts }: TableColumn): string {
  if (parts?.least === undefined) return row.most === null ? '' : figure.format(row.most);
  return bandWords(row, true, figure.format) ?? '';
}
