import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { ApprovedBy, AuditPage, AuditRow } from '../../shared/approvals.ts';
import { SpanBar } from '../charts/span-bar.tsx';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { formatPlural } from '../format/figures.ts';
import { formatMoment } from '../format/moments.ts';
import { formatSpan } from '../format/durations.ts';
import { useServices, useTask } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { EVENTS_SPAN_MS } from '../store/span-choice.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import sheet from '../charts/span-table.module.css';
import styles from './audit.module.css';
import { MINUTE_MS } from '../../shared/units.ts';

const NO_SERVERS: readonly string[] = [];

/** Milliseconds after the last key press until the list is searched. */
const TYPING_MS = 200;

/** Tool calls by clients, newest first: what was requested, how it ended, and who allowed it. */
export function Audit({ head }: { readonly head: ReactNode }) {
  const { api } = useServices();
  const span = useSpanWindow(NO_SERVERS, EVENTS_SPAN_MS);
  // The start is rounded to a minute, so that a live time range does not cause a new query each time it moves.
  const from = Math.floor(span.window.from / MINUTE_MS) * MINUTE_MS;
  const to = span.liveMs === undefined ? span.window.to : Infinity;
  const [text, setText] = useState('');
  const { status, run } = useTask<AuditPage>();
  const { status: saving, run: save } = useTask<void>();
  useEffect(() => {
    const timer = setTimeout(() => void run(() => api.getAudit(queryOf(from, text))), TYPING_MS);
    return () => clearTimeout(timer);
  }, [api, from, text, run]);
  const [page, setPage] = useState<AuditPage>();
  const found = status?.phase === 'done' ? status.value : undefined;
  if (found !== undefined && found !== page) setPage(found);
  const rows = useMemo(() => page?.rows.filter(({ at }) => at < to), [page, to]);
  const exported = (format: 'jsonl' | 'csv') => () =>
    void save(async () => {
      const content = await api.exportAudit({ ...queryOf(from, text), format });
      await api.saveFile({ name: `Calls.${format}`, content, encoding: 'utf8' });
    });
  return (
    <Page
      title="Activity"
      hasCharts
      note={page && `${page.hasMore ? 'newest ' : ''}${formatPlural(rows?.length ?? 0, 'call')}`}
      tools={
        <>
          <SearchField name="Search the calls" words={text} shortcut="" onChange={setText} width="200px" />
          <IconButton icon="import" name="Save as CSV…" label="CSV" onClick={exported('csv')} />
          <IconButton icon="import" name="Save as JSON Lines…" label="JSONL" onClick={exported('jsonl')} />
          {head}
        </>
      }
    >
      <SpanBar {...span} bucketMs={undefined} />
      {page?.isIntact === false && (
        <p role="status" className="px-16 py-24 text-dim">
          Rows are missing or were changed outside the panel.
        </p>
      )}
      {[status, saving].map((one) =>
        one?.phase === 'failed' ? (
          <ErrorNote key={one.since} error={one.error} server="calls" lead="Calls not read" />
        ) : null,
      )}
      {rows !== undefined && <Rows rows={rows} isSought={text !== ''} />}
    </Page>
  );
}

const outcomeWords: Readonly<Record<AuditRow['outcome'], string>> = {
  result: 'answered',
  error: 'error',
  cancelled: 'cancelled',
  lost: 'not answered',
};
const approvedWords: Readonly<Record<ApprovedBy, string>> = {
  once: 'once, by you',
  '15-min': 'for 15 minutes',
  always: 'always',
  refused: 'refused by you',
  timeout: 'nobody answered',
  changed: 'tool had changed',
};

const queryOf = (from: number, text: string) => ({
  sinceMs: Math.max(0, from),
  ...(text !== '' && { text }),
});

function Rows({ rows, isSought }: { readonly rows: readonly AuditRow[]; readonly isSought: boolean }) {
  if (rows.length === 0)
    return (
      <p className="px-16 py-24 text-dim">
        {isSought ? 'No call has this text.' : 'No client has called a tool in this time.'}
      </p>
    );
  return (
    <div
      className={`${sheet.scroll} min-h-0 flex-1 overflow-auto`}
      tabIndex={0}
      role="region"
      aria-label="Calls of clients"
    >
      <table className={`${sheet.table} ${styles.table}`}>
        <thead>
          <tr>
            {['Time', 'Client', 'Server', 'Tool', 'Outcome', 'Took', 'Allowed'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>{formatMoment(row.at)}</td>
              <td>{row.client}</td>
              <td>
                <a href={serverHref(row.server)}>{row.server}</a>
              </td>
              <td {...(row.arguments !== undefined && { 'data-tip': row.arguments })}>{row.tool}</td>
              <td data-outcome={row.outcome}>{outcomeWords[row.outcome]}</td>
              <td>{formatSpan(row.durationMs)}</td>
              <td>{row.approvedBy === undefined ? '' : approvedWords[row.approvedBy]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
