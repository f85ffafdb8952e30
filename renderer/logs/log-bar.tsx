import { type KeyboardEvent, memo, type ReactNode } from 'react';
import { toLogLine } from '../format/log-lines.ts';
import type { LogChoice } from '../format/log-choice.ts';
import { formatCount, formatPlural } from '../format/figures.ts';
import { useServices, useTask, useView } from '../services.ts';
import { filterOf, type LogQuery } from '../store/log-query.ts';
import type { LogSearchState } from './log-search.ts';
import type { ShownLog } from './use-shown-log.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { asText } from './line-selection.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { LogLine as KeptLine, LogFilter } from '../../shared/log-lines.ts';
import { formatDay } from '../format/moments.ts';
import { shortcutOf } from '../commands/shortcuts.ts';
import { SearchField } from '../ui/search-field.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

interface LogBarProps {
  readonly shown: ShownLog;
  /** Heading of the view, shown at the left end of the bar. */
  readonly children: ReactNode;
}

/** Bar with the search of a log and the actions for its lines. */
export function LogBar({ shown, children }: LogBarProps) {
  const { view } = useServices();
  const { lines, selected, wanted, isOfOne } = shown;
  const choice = useView((state) => state.logs);
  return (
    <header className="flex flex-wrap items-center flex-none gap-x-8 gap-y-4 min-h-44 pt-8 pr-12 pl-16 text-12/16 text-dim [&>h1]:text-text">
      {children}
      <LogFind shown={shown} />
      <div className="flex items-center flex-none gap-4 ml-auto">
        <ToggleButton
          icon="wrap"
          name="Wrap long lines"
          isOn={choice.wraps}
          onChange={(wraps) => view.setState({ logs: { ...choice, wraps } })}
        />
        {selected.length > 0 ? (
          <CopyButton
            name={`Copy ${formatPlural(selected.length, 'selected line')}`}
            text={() => asText(selected, isOfOne)}
          />
        ) : (
          lines.length > 0 && <CopyButton name="Copy the lines shown" text={() => asText(lines, isOfOne)} />
        )}
        <ExportLinesButton query={wanted} isOfOne={isOfOne} />
      </div>
    </header>
  );
}

interface ExportLinesButtonProps {
  readonly query: LogQuery;
  readonly isOfOne: boolean;
}

/** Button that saves all lines that match the filter to a file, including lines that the page has not loaded. */
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
/** Maximum number of characters in a saved file. If the log is longer, its oldest lines are left out, and the file says so. */
const MAX_CHARACTERS = 48 * 1024 * 1024;

/** Returns the text of all lines of a filter, from the newest backwards until the file is full. */
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

/** Search field for words or a regular expression. Marks matching lines or hides the others; buttons step between matches. */
function LogFind({ shown: { search, steps, held } }: Pick<LogBarProps, 'shown'>) {
  const { view } = useServices();
  const choice = useView((state) => state.logs);
  const change = (changes: Partial<LogChoice>) => view.setState({ logs: { ...choice, ...changes } });
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    steps.step(event.shiftKey ? -1 : 1);
  };
  const isSearching = search.matcher !== undefined;
  return (
    <div
      className="flex items-center gap-4 flex-none"
      role="search"
      aria-label="Search in the log"
      onKeyDown={press}
    >
      <WordsField />
      <ToggleButton
        label="Aa"
        name="Match case"
        isOn={choice.matchesCase}
        onChange={(matchesCase) => change({ matchesCase })}
      />
      <ToggleButton
        label=".*"
        name="Search for a pattern"
        tip="Search for a regular expression (RE2: no look-around, no back-references)"
        isOn={choice.isRegex}
        onChange={(isRegex) => change({ isRegex })}
      />
      <ToggleButton
        label="Filter"
        name="Show only matching lines"
        isOn={choice.isFilter}
        onChange={(isFilter) => change({ isFilter })}
      />
      <IconButton
        icon="up"
        name="Previous match"
        tip="Previous match  Shift+Enter, Shift+F3, N"
        disabled={!isSearching}
        onClick={() => steps.step(-1)}
      />
      <IconButton
        icon="down"
        name="Next match"
        tip="Next match  Enter, F3, n"
        disabled={!isSearching}
        onClick={() => steps.step(1)}
      />
      {/* The minimum width keeps the elements beside the count from moving when it changes. */}
      <span className="min-w-92 pl-4 tabular-nums" data-tip="Lines that match">
        {hitWords(search, steps.nth, held.hasOlder || held.hasNewer)}
      </span>
    </div>
  );
}

/**
 * Search field as a memoized component. Otherwise, it would be rendered again for every new log line, and React would write the
 * attributes of the input each time.
 */
const WordsField = memo(function WordsField() {
  const { view } = useServices();
  const words = useView((state) => state.logs.words);
  return (
    <SearchField
      name="Search the logs"
      shortcut={shortcutOf('search')}
      words={words}
      onChange={(next) => view.setState(({ logs }) => ({ logs: { ...logs, words: next } }))}
      width="clamp(132px, 15vw, 260px)"
    />
  );
});

/**
 * Returns text such as `3 of 12 lines`; empty without a search. If the window has loaded only part of the log, a plus after the
 * number says that there may be more matches.
 */
function hitWords({ matcher, hits, isDone }: LogSearchState, nth: number, isPart: boolean): string {
  if (matcher === undefined) return '';
  if (hits.length === 0) return isDone ? 'No match' : '';
  const lines = isPart ? `${formatCount(hits.length)}+ lines` : formatPlural(hits.length, 'line');
  return nth === 0 ? lines : `${formatCount(nth)} of ${lines}`;
}

interface ToggleButtonProps {
  /** Accessible name of the button, which describes the option that it toggles. */
  readonly name: string;
  readonly tip?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly icon?: IconName;
  readonly label?: string;
}

const toggleLook =
  'inline-flex items-center justify-center flex-none min-w-26 h-26 px-6 border rounded-sm text-12/16';
const pressedLook =
  'border-strong-line bg-line text-text forced-colors:[outline:2px_solid_Highlight] forced-colors:-outline-offset-2';

/** Small toggle button, which stays pressed while on. */
function ToggleButton({ name, tip, isOn, onChange, icon, label }: ToggleButtonProps) {
  return (
    <button
      type="button"
      className={`${toggleLook} ${isOn ? pressedLook : 'border-transparent text-dim hover:bg-hover hover:text-text'}`}
      aria-label={name}
      aria-pressed={isOn}
      data-tip={tip ?? name}
      onClick={() => onChange(!isOn)}
    >
      {icon !== undefined && <Icon name={icon} />}
      {label}
    </button>
  );
}
