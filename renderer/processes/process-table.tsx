import type { ServerView } from '../../shared/domain.ts';
import { openFilesColumn } from '../format/open-files.ts';
import type { ProcessOrder, ProcessNode as Row } from '../format/process-tree.ts';
import { ProcessRow } from './process-row.tsx';
import styles from './processes.module.css';

interface Column {
  readonly order: ProcessOrder;
  readonly label: string;
  readonly tip: string;
  readonly isFigure?: true;
}

const columns: readonly Column[] = [
  { order: 'program', label: 'Process', tip: 'What it runs' },
  { order: 'pid', label: 'PID', tip: 'Its number in the system', isFigure: true },
  { order: 'memory', label: 'Memory', tip: 'Its own memory, and what it shares with others', isFigure: true },
  { order: 'cpu', label: 'CPU', tip: 'Of one core: four busy cores are 400 %', isFigure: true },
  { order: 'files', ...openFilesColumn, isFigure: true },
  { order: 'started', label: 'Age', tip: 'Since when it runs', isFigure: true },
];

interface ProcessTableProps {
  readonly server: ServerView;
  readonly rows: readonly Row[];
  readonly order: ProcessOrder;
  readonly onOrder: (order: ProcessOrder) => void;
}

/** Table of a process tree: children are indented below their parent, siblings are in the chosen order. */
export function ProcessTreeTable({ server, rows, order, onOrder }: ProcessTableProps) {
  return (
    <table className={styles.table} aria-label={`Processes of ${server.name}`}>
      <thead>
        <tr>
          {columns.map(({ order: own, label, tip, isFigure }) => (
            <th
              key={own}
              scope="col"
              className={isFigure && styles.figure}
              aria-sort={own === order ? directionOf(own) : 'none'}
            >
              <button type="button" className={styles.sort} data-tip={tip} onClick={() => onOrder(own)}>
                {isFigure && <SortArrow order={own} isChosen={own === order} />}
                {label}
                {!isFigure && <SortArrow order={own} isChosen={own === order} />}
              </button>
            </th>
          ))}
          <th scope="col">
            <span className={styles.unseen}>End</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <ProcessRow key={`${row.process.pid} ${row.process.startTime}`} server={server} row={row} />
        ))}
      </tbody>
    </table>
  );
}

/** Arrow on the inner side of its label, so that labels and figures are aligned. */
function SortArrow({ order, isChosen }: { readonly order: ProcessOrder; readonly isChosen: boolean }) {
  if (!isChosen) return null;
  return (
    <span className={styles.arrow} aria-hidden="true">
      {directionOf(order) === 'ascending' ? '↑' : '↓'}
    </span>
  );
}

const directionOf = (order: ProcessOrder): 'ascending' | 'descending' =>
  order === 'program' || order === 'pid' || order === 'started' ? 'ascending' : 'descending';
