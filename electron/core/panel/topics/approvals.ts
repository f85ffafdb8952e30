import type {
  Approval,
  ApprovalDecision,
  AuditPage,
  AuditQuery,
  AuditRow,
  KeptDecision,
} from '../../../../shared/approvals.ts';
import { csvCell, csvText } from '../../../../shared/csv.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type {
  approvalsCalls,
  ApprovalSetting,
  AuditExport,
} from '../../../../shared/ipc/topics/approvals.ts';
import type { Approvals } from '../../approval/approvals.ts';
import type { ServersFile } from '../../config/servers-file.ts';
import type { HistorySource } from '../../store/history-source.ts';

export interface ApprovalsTopicOptions {
  readonly approvals: Approvals;
  readonly file: Pick<ServersFile, 'entry' | 'set'>;
  readonly source: Pick<HistorySource, 'audit'>;
}

/** Calls shown at once, and calls in a file: 64 MiB at the most, with arguments of the usual length. */
const MAX_ROWS = 1000;
const MAX_EXPORTED = 100_000;

/** Calls of clients that wait for a person, and the list of all that there were. */
export class ApprovalsTopic implements CallAnswers<typeof approvalsCalls> {
  readonly #options: ApprovalsTopicOptions;

  constructor(options: ApprovalsTopicOptions) {
    this.#options = options;
  }

  list(): readonly Approval[] {
    return this.#options.approvals.waiting;
  }

  /** @throws CANCELLED */
  answer({ id, decision }: { id: string; decision: ApprovalDecision }): Promise<void> {
    return this.#options.approvals.answer(id, decision);
  }

  /** @throws SERVER_UNKNOWN, CONFIG_BROKEN */
  async setAsk({ name, ask, tools }: ApprovalSetting): Promise<void> {
    const { file } = this.#options;
    await file.entry(name);
    await file.set(name, ['panel', 'approval', 'ask'], ask === 'never' ? undefined : ask);
    if (tools) await file.set(name, ['panel', 'approval', 'tools'], tools);
  }

  decisions(): readonly KeptDecision[] {
    return this.#options.approvals.decisions;
  }

  revoke(id: string): Promise<void> {
    return this.#options.approvals.revoke(id);
  }

  audit(query: AuditQuery): Promise<AuditPage> {
    return this.#options.source.audit({ ...query, limit: MAX_ROWS });
  }

  async export({ format, ...query }: AuditExport): Promise<string> {
    const { rows } = await this.#options.source.audit({ ...query, limit: MAX_EXPORTED });
    const oldestFirst = rows.toReversed();
    if (format === 'jsonl') return oldestFirst.map((row) => `${JSON.stringify(row)}\n`).join('');
    return csvText([columns, ...oldestFirst.map((row) => columns.map((column) => csvCell(row[column])))]);
  }
}

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
