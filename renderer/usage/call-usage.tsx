import { useMemo, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { CallUsageKey, CallUsageQuery } from '../../shared/call-usage.ts';
import { shownState } from '../../shared/server-states.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { useSaving } from '../charts/save.tsx';
import { UsedServer } from '../charts/span-table.tsx';
import { usePast } from '../charts/use-past.ts';
import { askToRemove, canSleep, letSleep, runAction } from '../commands/server-commands.ts';
import { failsOften, formatMemory, formatPlural } from '../format/figures.ts';
import { useNow, usePanel, useServices, useView } from '../services.ts';
import { UNUSED_DAYS } from '../store/called.ts';
import { hrefOf } from '../store/route-store.ts';
import { comparedShiftMs } from '../store/span-choice.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import {
  callColumns,
  callUsageCsv,
  cellWords,
  failures,
  comparedRows,
  sortKeyOf,
  namesOf,
  unusedServers,
  type CallColumn,
  type ComparedRow,
} from './call-usage-rows.ts';
import sheet from '../charts/span-table.module.css';
import { HOUR_MS } from '../../shared/units.ts';
const FEW_UNUSED = 2;
const UNUSED_MS = UNUSED_DAYS * 24 * HOUR_MS;

const choices = [
  { value: 'tool', label: 'Tool' },
  { value: 'client', label: 'Client' },
  { value: 'server', label: 'Server' },
  { value: 'each', label: 'Each' },
] as const;

interface CallUsageTableProps {
  readonly window: TimeWindow;
  /** Server whose calls are shown; all if undefined. */
  readonly server?: string;
}

/** Calls of clients within the time shown, by tool, client or server, and the servers that no client calls. */
export function CallUsageTable({ window, server }: CallUsageTableProps) {
  const [by, setBy] = useState<CallUsageKey>('tool');
  const [sorted, setSorted] = useState<CallColumn>('calls');
  const saving = useSaving(server === undefined ? 'calls' : `calls of ${server}`);
  const rows = useComparedRows(window, by, server);
  const shown = useMemo(
    () => rows?.toSorted((one, other) => sortKeyOf[sorted](other) - sortKeyOf[sorted](one)),
    [rows, sorted],
  );
  return (
    <>
      <div className="flex flex-none flex-wrap items-center gap-8 px-16 py-4">
        <Segments
          name="Rows by"
          value={by}
          choices={server === undefined ? choices : choices.filter(({ value }) => value !== 'server')}
          onChange={setBy}
        />
        <span className="flex-1 text-dim">{shown && formatPlural(shown.length, 'row')}</span>
        <IconButton
          icon="import"
          name="Save calls as CSV…"
          label="CSV"
          disabled={shown === undefined}
          onClick={() => shown && saving.save('csv', window, () => callUsageCsv(shown, by))}
        />
      </div>
      {server === undefined && <NotUsed />}
      {shown?.length === 0 && (
        <p className="px-16 py-24 text-dim">No client has called a tool in this time.</p>
      )}
      {shown !== undefined && shown.length > 0 && (
        <Rows {...{ by, window, sorted }} isOfOne={server !== undefined} rows={shown} onSort={setSorted} />
      )}
    </>
  );
}

/**
 * Rows for the selected time range, extended to whole hours. They are compared with the period that the user chose for
 * comparison, or by default with the preceding period of the same length.
 */
function useComparedRows(
  window: TimeWindow,
  by: CallUsageKey,
  server: string | undefined,
): readonly ComparedRow[] | undefined {
  const { past } = useServices();
  const from = Math.floor(window.from / HOUR_MS) * HOUR_MS;
  const to = Math.ceil(window.to / HOUR_MS) * HOUR_MS;
  const query = useMemo((): CallUsageQuery => ({ from, to, by, server }), [from, to, by, server]);
  const compared = useView((state) => state.compared);
  const shiftMs = comparedShiftMs(compared, { from, to }) ?? to - from;
  const earlier = useMemo(
    (): CallUsageQuery => ({ from: from - shiftMs, to: to - shiftMs, by, server }),
    [from, to, shiftMs, by, server],
  );
  const { reply } = usePast(past.callUsage, query, by);
  const { reply: before } = usePast(past.callUsage, earlier, by);
  return useMemo(() => {
    // Without a call in the earlier period, there is nothing to compare with.
    const known = before !== undefined && before.rows.length > 0 ? before.rows : undefined;
    return reply && comparedRows(reply.rows, known, by);
  }, [reply, before, by]);
}

interface RowsProps {
  readonly by: CallUsageKey;
  readonly window: TimeWindow;
  /** Whether all rows are of one server, so that they omit its name. */
  readonly isOfOne: boolean;
  readonly rows: readonly ComparedRow[];
  readonly sorted: CallColumn;
  readonly onSort: (column: CallColumn) => void;
}

const titles = { server: 'Server', tool: 'Tool', client: 'Client' } as const;

/** Names are left-aligned, unlike the numbers of the table. */
const NAME = 'max-w-240 truncate text-left!';

function Rows({ by, window, isOfOne, rows, sorted, onSort }: RowsProps) {
  const now = useNow((at) => Math.floor(at / 10_000) * 10_000);
  const names = namesOf(by).filter((name) => name !== 'server' || !isOfOne);
  return (
    <div
      className={`${sheet.scroll} min-h-0 flex-1 overflow-auto`}
      tabIndex={0}
      role="region"
      aria-label="Calls by clients"
    >
      <table className={sheet.table} aria-label="Calls">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col" className={NAME}>
                {titles[name]}
              </th>
            ))}
            {by !== 'client' && by !== 'each' && <th scope="col">Clients</th>}
            {callColumns.map(({ column, title, meaning }) => (
              <th key={column} scope="col" aria-sort={column === sorted ? 'descending' : 'none'}>
                <button type="button" data-tip={meaning} onClick={() => onSort(column)}>
                  {column === sorted && <Icon name="down" size={12} />}
                  {title}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={names.map((name) => row[name]).join('\n')}>
              {names.map((name, index) => (
                <NameCell key={name} isFirst={index === 0} {...{ name, row, window }} />
              ))}
              {by !== 'client' && by !== 'each' && <td>{row.clients}</td>}
              {callColumns.map(({ column }) => (
                <td
                  key={column}
                  className={
                    column === 'errors' && failsOften({ ...row, errors: failures(row) })
                      ? 'text-failed'
                      : undefined
                  }
                >
                  {cellWords(row, column, now)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface NameCellProps {
  readonly name: 'server' | 'tool' | 'client';
  readonly isFirst: boolean;
  readonly row: ComparedRow;
  readonly window: TimeWindow;
}

/** Name of a server, linked to its page, or name of a tool, linked to its calls in the logs. */
function NameCell({ name, isFirst, row, window }: NameCellProps) {
  const { server, tool } = row;
  const content =
    name === 'server' && server !== undefined ? (
      <UsedServer server={server} />
    ) : name === 'tool' && server !== undefined ? (
      <a
        href={hrefOf({ view: 'logs', query: { servers: [server], sources: ['traffic'], ...spanOf(window) } })}
        data-tip="Its calls in the logs"
      >
        {tool}
      </a>
    ) : (
      row[name]
    );
  const Cell = isFirst ? 'th' : 'td';
  return (
    <Cell className={NAME} {...(isFirst && { scope: 'row' })}>
      {content}
    </Cell>
  );
}

const spanOf = ({ from, to }: TimeWindow) => ({ from: Math.round(from), to: Math.round(to) });

/** Servers that run but have had no call in 30 days, with their memory and the available actions. */
function NotUsed() {
  const { past, ...services } = useServices();
  const [isWhole, setWhole] = useState(false);
  const to = useNow((now) => Math.ceil(now / HOUR_MS) * HOUR_MS);
  const query = useMemo((): CallUsageQuery => ({ from: to - UNUSED_MS, to, by: 'server' }), [to]);
  const { reply } = usePast(past.callUsage, query, 'unused');
  const running = usePanel(
    useShallow(({ names, servers }) =>
      names.filter((name) => {
        const server = servers.get(name);
        return server !== undefined && shownState(server) === 'running';
      }),
    ),
  );
  const unused = useMemo(
    () =>
      reply === undefined || reply.rows.length === 0
        ? []
        : unusedServers(running, reply.rows, to - UNUSED_MS),
    [reply, running, to],
  );
  if (unused.length === 0) return null;
  return (
    <section
      className="flex flex-none flex-wrap items-center gap-8 px-16 py-4 text-dim"
      aria-label={`Not used for ${UNUSED_DAYS} days`}
    >
      <span>Not used for {UNUSED_DAYS} days:</span>
      {(isWhole ? unused : unused.slice(0, FEW_UNUSED)).map((name) => (
        <UnusedServer
          key={name}
          name={name}
          onSleep={() => letSleep(services, name)}
          onStop={() => runAction(services, 'stop', name)}
          onRemove={() => askToRemove(services, name)}
        />
      ))}
      {unused.length > FEW_UNUSED && (
        <TextButton look="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `+ ${unused.length - FEW_UNUSED} more`}
        </TextButton>
      )}
      <TextButton onClick={() => services.manage.open({ kind: 'sleep', servers: unused })}>
        {unused.length === 1 ? 'Let it sleep…' : 'Let them sleep…'}
      </TextButton>
    </section>
  );
}

interface UnusedServerProps {
  readonly name: string;
  readonly onSleep: () => void;
  readonly onStop: () => void;
  readonly onRemove: () => void;
}

function UnusedServer({ name, onSleep, onStop, onRemove }: UnusedServerProps) {
  const maySleep = usePanel(({ servers }) => {
    const server = servers.get(name);
    return server !== undefined && canSleep(server);
  });
  const memory = usePanel(({ servers }) => formatMemory(servers.get(name)?.sample?.memoryBytes));
  return (
    <span className="inline-flex items-center gap-4 px-6 py-2 border border-line rounded-md">
      <UsedServer server={name} /> {memory}
      {maySleep && (
        <TextButton aria-label={`Let ${name} sleep`} onClick={onSleep}>
          Sleep
        </TextButton>
      )}
      <TextButton aria-label={`Stop ${name}`} onClick={onStop}>
        Stop
      </TextButton>
      <TextButton aria-label={`Remove ${name}…`} onClick={onRemove}>
        Remove…
      </TextButton>
    </span>
  );
}
