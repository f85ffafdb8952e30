import type { AuditRow } from '../../../../shared/approvals.ts';
import { csvCell, csvText } from '../../../../shared/csv.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { approvalsCalls } from '../../../../shared/ipc/topics/approvals.ts';
import type { HistorySource } from '../../store/history-source.ts';
import type { OpenedFiles } from '../open-files.ts';

/** Maximum calls in one answer to the window or one exported file, which has at most 64 MiB with arguments of usual length. */
const MAX_ROWS = 1000;
const MAX_EXPORTED = 100_000;

/** Requests of the app window about client calls that wait for the user's approval, and about earlier calls. */
export const approvalsTopic = (
  { approvals, servers: file }: Pick<OpenedFiles, 'approvals' | 'servers'>,
  source: HistorySource,
) =>
  ({
    list: () => approvals.waiting,
    /** Records the user's decision about a waiting call. @throws CANCELLED */
    answer: ({ id, decision }) => approvals.answer(id, decision),
    /** Sets which calls of a server need approval. @throws SERVER_UNKNOWN, CONFIG_BROKEN */
    setAsk: async ({ name, ask, tools }) => {
      await file.entry(name);
      await file.set(name, ['panel', 'approval', 'ask'], ask === 'never' ? undefined : ask);
      if (tools) await file.set(name, ['panel', 'approval', 'tools'], tools);
    },
    decisions: () => approvals.decisions,
    revoke: (id) => approvals.revoke(id),
    audit: (query) => source.audit({ ...query, limit: MAX_ROWS }),
    export: async ({ format, ...query }) => {
      const { rows } = await source.audit({ ...query, limit: MAX_EXPORTED });
      const oldestFirst = rows.toReversed();
      if (format === 'jsonl') return oldestFirst.map((row) => `${JSON.stringify(row)}\n`).join('');
      return csvText([columns, ...oldestFirst.map((row) => columns.map((column) => csvCell(row[column])))]);
    },
  }) satisfies CallAnswers<typeof approvalsCalls>;

const columns = [
  'at',
  'client',
  'server',
  'tool',
  'outcome',
  'durationMs',
  'approvedBy',
  'digest',
  'arguments',
] as const satisfies readonly (keyof AuditRow)[];
