import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../shared/domain.ts';
import { formatCount, formatCpu, formatMemory, MISSING } from '../format/figures.ts';
import {
  arrangeProcesses,
  type ProcessOrder,
  type ProcessNode as Row,
  processCommand,
} from '../format/process-tree.ts';
import { useServices, useAsk, useNow } from '../services.ts';
import { ErrorNote, FailedRow } from '../ui/error-note.tsx';
import { Unseen } from '../ui/page.tsx';
import styles from './processes.module.css';
import { openFilesColumn } from '../format/open-files.ts';
import type { ProcessView } from '../../shared/processes.ts';
import { formatDuration } from '../format/durations.ts';
import { formatMoment } from '../format/moments.ts';
import { TextButton } from '../ui/text-button.tsx';
import { askToEnd, endKey } from './end-process-dialog.tsx';

const SHARED_PAGES = 'Processes share pages, so the server needs less memory than their sum.';

/** Process tree of a server with the resource use of each process, and a button to end it. */
export function ServerProcesses({ server }: { readonly server: ServerView }) {
  const { name, transport, host } = server;
  const { processes } = useServices();
  useEffect(() => processes.follow(name), [processes, name]);
  const { view, error } = useStore(processes.state);
  const [order, setOrder] = useState<ProcessOrder>('started');
  const rows = useMemo(() => arrangeProcesses(view?.processes ?? [], order), [view, order]);
  return (
    <div className="flex flex-col gap-12 max-w-1440 p-16">
      {error !== undefined ? (
        <ErrorNote error={error} server={name} lead="Its processes could not be listed" />
      ) : rows.length === 0 ? (
        <p className="text-dim">{transport === 'stdio' ? emptyWords(server, view !== undefined) : REMOTE}</p>
      ) : (
        <>
          <ProcessTreeTable server={server} rows={rows} order={order} onOrder={setOrder} />
          {host?.kind === 'container' && <p className="text-dim">{IN_CONTAINER}</p>}
          {rows.length > 1 && <p className="text-dim">{SHARED_PAGES}</p>}
        </>
      )}
    </div>
  );
}

const IN_CONTAINER = 'The server runs in a container. These processes are the client of its engine.';
const IN_POD = 'The server runs in a pod of a cluster, which does not report its processes.';
const REMOTE = 'A remote server: its processes run elsewhere and cannot be seen from here.';

function emptyWords({ host, pid }: ServerView, isKnown: boolean): string {
  if (host?.kind === 'pod') return IN_POD;
  if (pid !== undefined || !isKnown) return 'Looking at its processes…';
  return 'It has no process now. Start it to see its processes.';
}

interface Column {
  readonly order: ProcessOrder;
  readonly label: string;
  readonly tip: string;
  readonly isFigure?: true;
  /** CSS class for the column's width. The first column takes the remaining width. */
  readonly width?: string;
}

const columns: readonly Column[] = [
  { order: 'program', label: 'Process', tip: 'The program that it runs' },
  { order: 'pid', label: 'PID', tip: 'Its process id', isFigure: true, width: 'w-76' },
  {
    order: 'memory',
    label: 'Memory',
    tip: 'Its own memory, plus what it shares with others',
    isFigure: true,
    width: 'w-96',
  },
  {
    order: 'cpu',
    label: 'CPU',
    tip: 'Of one core: four busy cores are 400 %',
    isFigure: true,
    width: 'w-84',
  },
  { order: 'files', ...openFilesColumn, isFigure: true, width: 'w-84' },
  { order: 'started', label: 'Age', tip: 'Since when it runs', isFigure: true, width: 'w-84' },
];

const figure = 'text-right whitespace-nowrap';

interface ProcessTableProps {
  readonly server: ServerView;
  readonly rows: readonly Row[];
  readonly order: ProcessOrder;
  readonly onOrder: (order: ProcessOrder) => void;
}

/** Table of a process tree: children are indented below their parent, siblings are in the chosen order. */
export function ProcessTreeTable({ server, rows, order, onOrder }: ProcessTableProps) {
  return (
    <table className={`${styles.table} card table-fixed`} aria-label={`Processes of ${server.name}`}>
      <thead>
        <tr>
          {columns.map(({ order: own, label, tip, isFigure, width = '' }) => (
            <th
              key={own}
              scope="col"
              className={isFigure ? `${figure} ${width}` : 'text-left'}
              aria-sort={own === order ? directionOf(own) : 'none'}
            >
              <button
                type="button"
                className={`min-w-24 min-h-24 whitespace-nowrap ${own === order ? 'text-text' : 'hover:text-text'}`}
                data-tip={tip}
                onClick={() => onOrder(own)}
              >
                {isFigure && <SortArrow order={own} isChosen={own === order} />}
                {label}
                {!isFigure && <SortArrow order={own} isChosen={own === order} />}
              </button>
            </th>
          ))}
          <th scope="col" className="w-92">
            <Unseen>End</Unseen>
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

/** Arrow that shows the sort order. It is on the inner side of the column label, so that labels and values stay aligned. */
function SortArrow({ order, isChosen }: { readonly order: ProcessOrder; readonly isChosen: boolean }) {
  if (!isChosen) return null;
  return (
    <span className="inline-block w-14 text-center" aria-hidden="true">
      {directionOf(order) === 'ascending' ? '↑' : '↓'}
    </span>
  );
}

const directionOf = (order: ProcessOrder): 'ascending' | 'descending' =>
  order === 'program' || order === 'pid' || order === 'started' ? 'ascending' : 'descending';

const NOT_TOLD = 'The system does not report it';

/** Row of one process. If ending the process failed, the error is shown below. */
function ProcessRow({ server, row: { process, level } }: { readonly server: ServerView; readonly row: Row }) {
  const services = useServices();
  const { pid, program, memoryBytes, cpuPercent, openFiles, instance, isStopped } = process;
  const status = useAsk(endKey(server.name, process));
  const command = processCommand(process);
  const isEnding = status?.phase === 'pending';
  return (
    <>
      <tr className="hover:bg-hover" aria-label={`${program}, pid ${pid}`}>
        <td style={{ paddingLeft: 16 + (level - 1) * 20 }}>
          <span className="flex items-center gap-8 font-semibold">
            {level > 1 && (
              <span
                className="flex-none size-8 -mt-6 -ml-16 border-b border-l border-strong-line"
                aria-hidden="true"
              />
            )}
            {program}
            {level > 1 && <Unseen>below pid {process.ppid}</Unseen>}
            {instance !== undefined && <Chip>{instance}</Chip>}
            {isStopped === true && <Chip>stopped by a signal</Chip>}
          </span>
          <code className="block truncate select-text text-12/16 text-dim" data-tip={command} data-tip-if-cut>
            {command}
          </code>
        </td>
        <td className={figure}>{pid}</td>
        <Figure words={formatMemory(memoryBytes)} />
        <Figure words={formatCpu(cpuPercent)} />
        <Figure words={formatCount(openFiles)} />
        <td className={figure}>
          <Age process={process} />
        </td>
        <td className={figure}>
          <TextButton
            aria-label={`End process ${pid}`}
            isBusy={isEnding}
            onClick={() => askToEnd(services, server.name, process, pid === server.pid)}
          >
            {isEnding ? 'Ending…' : 'End…'}
          </TextButton>
        </td>
      </tr>
      <FailedRow status={status} columns={7} server={server.name} lead="Not ended" />
    </>
  );
}

const Chip = ({ children }: { readonly children: ReactNode }) => (
  <span className="px-8 border border-line rounded-sm text-12/16 text-dim font-normal">{children}</span>
);

function Figure({ words }: { readonly words: string }) {
  return (
    <td className={figure} {...(words === MISSING && { 'data-tip': NOT_TOLD })}>
      {words}
    </td>
  );
}

function Age({ process: { startedAt } }: { readonly process: ProcessView }) {
  const words = useNow((now) =>
    startedAt === undefined ? MISSING : formatDuration(Math.max(0, now - startedAt)),
  );
  return (
    <span data-tip={startedAt === undefined ? NOT_TOLD : `since ${formatMoment(startedAt)}`}>{words}</span>
  );
}
