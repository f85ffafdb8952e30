import { type ReactNode, useState } from 'react';
import { type ShownLine, toLogLine } from '../format/log-lines.ts';
import { formatPlural } from '../format/figures.ts';
import { useServices, useView } from '../services.ts';
import { type LogQuery, filterOf } from '../store/log-query.ts';
import { LogFind } from './log-find.tsx';
import type { LogSearchState } from './log-search.ts';
import { ToggleButton } from './toggle-button.tsx';
import type { HitSteps } from './use-hit-steps.ts';
import styles from './log-view.module.css';
import { copyText } from '../ui/clipboard.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { asText } from './line-selection.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { LogFilter, LogLine as KeptLine } from '../../shared/log-lines.ts';
import { formatDay } from '../format/moments.ts';
import { useTask } from '../use-task.ts';

interface LogBarProps {
  readonly search: LogSearchState;
  readonly steps: HitSteps;
  readonly shown: readonly ShownLine[];
  readonly selected: readonly ShownLine[];
  readonly query: LogQuery;
  readonly isOfOne: boolean;
  /** Whether there are log lines outside the part of the log that the page holds. */
  readonly isPart: boolean;
  /** Heading of the view. */
  readonly children: ReactNode;
}

/** Bar with the search of a log and the actions for its lines. */
export function LogBar({ search, steps, shown, selected, query, isOfOne, isPart, children }: LogBarProps) {
  const { view } = useServices();
  const choice = useView((state) => state.logs);
  return (
    <header className={styles.bar}>
      {children}
      <LogFind search={search} steps={steps} isPart={isPart} />
      <div className={styles.tools}>
        <ToggleButton
          icon="wrap"
          name="Wrap long lines"
          isOn={choice.wraps}
          onChange={(wraps) => view.setState({ logs: { ...choice, wraps } })}
        />
        {selected.length > 0 ? (
          <CopyLinesButton
            lines={selected}
            isOfOne={isOfOne}
            name={`Copy ${formatPlural(selected.length, 'selected line')}`}
          />
        ) : (
          shown.length > 0 && <CopyLinesButton lines={shown} isOfOne={isOfOne} name="Copy the lines shown" />
        )}
        <ExportLinesButton query={query} isOfOne={isOfOne} />
      </div>
    </header>
  );
}

interface CopyLinesButtonProps {
  readonly lines: readonly ShownLine[];
  /** Whether all lines belong to one server. */
  readonly isOfOne: boolean;
  /** Name of the button: "Copy all lines". */
  readonly name: string;
}

/** Button that copies the log lines that exist when it is pressed. It shows "copied" until the pointer or the focus leaves. */
function CopyLinesButton({ lines, isOfOne, name }: CopyLinesButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const forget = () => setCopied(false);
  return (
    <IconButton
      icon={isCopied ? 'done' : 'copy'}
      name={isCopied ? 'Copied' : name}
      onClick={() => void copyText(asText(lines, isOfOne)).then(setCopied)}
      onPointerLeave={forget}
      onBlur={forget}
    />
  );
}

interface ExportLinesButtonProps {
  readonly query: LogQuery;
  readonly isOfOne: boolean;
}

/** Button that saves all lines of the filter to a file, including lines that the page does not hold. */
function ExportLinesButton({ query, isOfOne }: ExportLinesButtonProps) {
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
/** Maximum characters of one file. Older lines are left out, and the file says so. */
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
