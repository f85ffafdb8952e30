import { MomentButton } from '../commands/moment-menu.tsx';
import type { ShownLine } from '../format/log-lines.ts';
import { formatCount, formatPlural } from '../format/figures.ts';
import { formatMoment } from '../format/moments.ts';
import { TextButton } from '../ui/text-button.tsx';
import type { LogHuntState } from './log-hunt.ts';
import type { LogSearchState } from './log-search.ts';
import type { LogWindowState } from './log-window.ts';
import { pairWords } from './log-rows.ts';
import type { ShownLog } from './use-shown-log.ts';

/** Line below a log with the status of the search, and with text about the selected lines and actions for them. */
export function LogStatus({ shown }: { readonly shown: ShownLog }) {
  const { held, hunt, cancel, search, selected, showPair } = shown;
  const [line, second] = selected;
  const words = search.problem ?? huntWords(hunt) ?? missWords(search, held);
  const isEmpty = words === undefined && line === undefined;
  return (
    <div
      className={
        isEmpty
          ? 'sr-only'
          : `min-h-28 pr-12 pl-16 border-b border-line flex items-center gap-12 flex-none text-12/16 text-dim`
      }
    >
      <p role="status">
        {words !== undefined && (
          <span
            className={search.problem === undefined && hunt.phase !== 'failed' ? undefined : 'text-failed'}
          >
            {words}
          </span>
        )}
        {words === undefined && line !== undefined && selectionWords(selected)}
      </p>
      {hunt.phase === 'searching' && (
        <TextButton look="link" onClick={cancel}>
          Stop searching (Esc)
        </TextButton>
      )}
      {line !== undefined && second === undefined && (
        <>
          <MomentButton
            at={line.at}
            label="This moment in…"
            {...(line.server !== null && { server: line.server })}
          />
          {line.traffic?.pairKey !== undefined && (
            <TextButton look="link" onClick={() => showPair(line)}>
              {pairWords(line.traffic)}
            </TextButton>
          )}
        </>
      )}
    </div>
  );
}

function huntWords(hunt: LogHuntState): string | undefined {
  switch (hunt.phase) {
    case 'idle':
      return undefined;
    case 'searching':
      return `Searched ${formatPlural(hunt.scannedLines, 'line')}…`;
    case 'ended':
      return `No ${hunt.side === 'older' ? 'earlier' : 'later'} match in ${formatPlural(hunt.scannedLines, 'line')}`;
    case 'failed':
      return `The search failed: ${hunt.problem.message}`;
  }
}

/** Returns a hint if a finished search found nothing in the loaded lines although the log has more lines; otherwise undefined. */
function missWords({ matcher, hits, isDone }: LogSearchState, held: LogWindowState): string | undefined {
  const isPart = held.hasOlder || held.hasNewer;
  if (matcher === undefined || hits.length > 0 || !isDone || !isPart || held.fetching !== undefined)
    return undefined;
  return `No match in ${formatPlural(held.lines.length, 'line')} · Enter searches all that are kept`;
}

/** Describes the selection, a single line in full, because a screen reader user reads a line by moving to it. */
function selectionWords(selected: readonly ShownLine[]): string {
  const [line] = selected;
  if (selected.length > 1 || line === undefined)
    return `${formatCount(selected.length)} lines selected · ${copyWords}`;
  const whose = line.instance ?? line.server ?? 'panel';
  return `1 line selected · ${formatMoment(line.at)} · ${whose} · ${line.source}`;
}

const copyWords = 'Ctrl+C copies them · Shift+click and Shift+↑↓ extend · Esc clears the selection';
