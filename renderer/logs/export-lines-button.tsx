import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { LogFilter, LogLine as KeptLine } from '../../shared/log-lines.ts';
import { toLogLine } from '../format/log-lines.ts';
import { formatDay } from '../format/moments.ts';
import { useServices } from '../services.ts';
import { filterOf, type LogQuery } from '../store/log-query.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useTask } from '../use-task.ts';
import { asText } from './line-selection.ts';

interface ExportLinesButtonProps {
  readonly query: LogQuery;
  readonly isOfOne: boolean;
}

/** Button that saves all lines of the filter to a file, including lines that the page does not hold. */
export function ExportLinesButton({ query, isOfOne }: ExportLinesButtonProps) {
  const { api } = useServices();
  const { status, run } = useTask<string | null>();
  const isBusy = status?.phase === 'pending';
  const save = async () => {
    const content = await allLines(api, filterOf(query), isOfOne);
    const whose = isOfOne ? (query.servers?.[0] ?? '') : 'all-servers';
    const name = `${whose.replace(/[^\p{L}\p{N}._-]/gu, '_').slice(0, 80)}-${formatDay(Date.now())}.log`;
    return api.saveFile({ name, content, encoding: 'utf8' });
  };
  const failure = status?.phase === 'failed' ? `Could not save: ${status.error.message}` : undefined;
  return (
    <IconButton
      icon="import"
      name={isBusy ? 'Saving…' : 'Save the lines…'}
      tip={failure ?? 'Save all lines of this choice to a file'}
      disabled={isBusy}
      onClick={() => void run(save)}
    />
  );
}

const PAGE_LINES = 2000;
/** Limit for one file, in characters. Older lines are left out, and the file says so. */
const MAX_CHARACTERS = 48 * 1024 * 1024;

/** Text of all lines of a filter, from the newest backwards until the file is full. */
async function allLines(api: ControlPanelApi, filter: LogFilter, isOfOne: boolean): Promise<string> {
  const parts: string[] = [];
  let characters = 0;
  let oldest: KeptLine | undefined;
  let hasMore = true;
  while (hasMore && characters < MAX_CHARACTERS) {
    const beside = oldest && ({ key: oldest.key, side: 'older' } as const);
    const page = await api.getLogPage({ filter, ...(beside && { beside }), limit: PAGE_LINES });
    const text = asText(
      page.lines.map((line, nth) => toLogLine(line, nth)),
      isOfOne,
    );
    if (text !== '') parts.unshift(text);
    characters += text.length;
    oldest = page.lines[0];
    hasMore = page.hasMore && oldest !== undefined;
  }
  return [
    ...(hasMore ? ['Earlier lines are left out, because the file would be too long.'] : []),
    ...parts,
    '',
  ].join('\n');
}
