import { useMemo, useState } from 'react';
import { diffLines } from 'diff';
import { formatSpan } from '../format/durations.ts';
import { formatCount, formatPlural } from '../format/figures.ts';
import { formatClockTime, formatMoment } from '../format/moments.ts';
import { showDirectionControls } from '../format/text-direction.ts';
import type { CallEnd, PastCall } from '../store/past-calls.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { errorAsText } from '../format/error-words.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toJson } from './result-blocks.ts';

export interface CallHistoryProps {
  readonly name: string;
  readonly server: string;
  /** Completed calls, newest first. */
  readonly calls: readonly PastCall[];
  /** Id of the call whose answer is shown above the list; undefined for the most recent one. */
  readonly shown: string | undefined;
  readonly canCall: boolean;
  readonly onShow: (id: string) => void;
  readonly onCallAgain: (call: PastCall) => void;
}

/** List of the completed calls of a tool, prompt or resource, to view, repeat and compare. */
export function CallHistoryList({ name, server, calls, ...rest }: CallHistoryProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isComparing, setComparing] = useState(false);
  const compared = calls.filter(({ id }) => chosen.includes(id));
  const [after, before] = compared;
  const isPair = before !== undefined && after !== undefined;
  // A third choice replaces the older of the two chosen calls, so that two clicks choose a new pair.
  const choose = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(-2));

  return (
    <section className="flex flex-col pb-16" aria-label={`History of ${name}`}>
      <div className="flex items-center gap-8 min-h-36">
        <h3 className="flex-1 label">
          Calls <span className="text-faint">{formatCount(calls.length)}</span>
        </h3>
        {calls.length > 1 && (
          <TextButton
            disabled={!isPair}
            data-tip={isPair ? undefined : 'Select two calls to compare their answers'}
            onClick={() => setComparing(true)}
          >
            Compare
          </TextButton>
        )}
      </div>
      <ol>
        {calls.map((call) => (
          <HistoryRow
            key={call.id}
            call={call}
            isChosen={chosen.includes(call.id)}
            onChoose={calls.length > 1 ? choose : undefined}
            {...rest}
          />
        ))}
      </ol>
      {isComparing && isPair && (
        <DifferenceDialog server={server} before={before} after={after} onClose={() => setComparing(false)} />
      )}
    </section>
  );
}

interface HistoryRowProps extends Pick<CallHistoryProps, 'shown' | 'canCall' | 'onShow' | 'onCallAgain'> {
  readonly call: PastCall;
  readonly isChosen: boolean;
  readonly onChoose: ((id: string) => void) | undefined;
}

interface EndLook {
  readonly icon: IconName;
  readonly look?: string;
  readonly words: string;
}

const ends: Readonly<Record<CallEnd, EndLook>> = {
  answered: { icon: 'done', look: '[&>svg]:text-running', words: 'Result' },
  error: { icon: 'warning', look: '[&>svg]:text-failed', words: 'Tool error' },
  cancelled: { icon: 'close', words: 'Cancelled' },
  failed: { icon: 'warning', look: '[&>svg]:text-failed', words: 'No result' },
};

const entryColumns = 'grid grid-cols-[56px_80px_48px_minmax(0,1fr)] items-center gap-8';
const entryLook = `${entryColumns} flex-1 min-w-0 h-28 px-8 rounded-md text-12/16 text-left disabled:text-faint`;

function HistoryRow({ call, isChosen, onChoose, shown, canCall, onShow, onCallAgain }: HistoryRowProps) {
  const { id, at, durationMs, value, end, record } = call;
  const time = formatClockTime(at);
  const { icon, look = '', words } = ends[end];
  const given = showDirectionControls((JSON.stringify(value ?? {}) ?? '').slice(0, 300));
  const isShown = id === shown;
  const isKept = record !== undefined;
  return (
    <li className="flex items-center gap-8 min-w-0">
      {onChoose !== undefined && (
        <input
          type="checkbox"
          className="flex-none m-0 accent-accent"
          aria-label={`Compare the call of ${time}`}
          checked={isChosen}
          disabled={!isKept}
          onChange={() => onChoose(id)}
        />
      )}
      <button
        type="button"
        className={`${entryLook} ${isShown ? 'bg-accent-soft' : 'hover:enabled:bg-hover'}`}
        aria-label={`Show the call of ${time}: ${words} after ${formatSpan(durationMs)}`}
        aria-current={isShown || undefined}
        disabled={!isKept}
        data-tip={isKept ? formatMoment(at) : 'This answer was too large to be kept'}
        onClick={() => onShow(id)}
      >
        <time>{time}</time>
        <span className={`${look} flex items-center gap-4 whitespace-nowrap`}>
          <Icon name={icon} size={14} />
          {words}
        </span>
        <span className="whitespace-nowrap text-right">{formatSpan(durationMs)}</span>
        <code className="truncate text-12 text-dim">{given}</code>
      </button>
      <IconButton
        icon="restart"
        name={`Call again with the arguments of ${time}`}
        aria-disabled={!canCall || undefined}
        onClick={() => canCall && onCallAgain(call)}
      />
    </li>
  );
}

interface DifferenceDialogProps {
  readonly server: string;
  readonly before: PastCall;
  readonly after: PastCall;
  readonly onClose: () => void;
}

const LINES_AT_ONCE = 1000;

/** Dialog that compares the JSON of two calls' answers, line by line. */
function DifferenceDialog({ server, before, after, onClose }: DifferenceDialogProps) {
  const [most, setMost] = useState(LINES_AT_ONCE);
  const { lines, isCut } = useMemo(
    () => differenceOf(answerText(before, server), answerText(after, server)),
    [before, after, server],
  );
  const isSame = lines?.every(({ kind }) => kind === 'same' || kind === 'gap') === true;
  return (
    <Dialog
      title={`${formatClockTime(before.at)} and ${formatClockTime(after.at)} compared`}
      onClose={onClose}
      foot={
        <TextButton data-autofocus onClick={onClose}>
          Close
        </TextButton>
      }
    >
      <div className="flex flex-col items-start gap-8 py-4">
        {isCut && (
          <p role="note">Only the beginnings of the answers are compared, because they are too long.</p>
        )}
        {lines === undefined && <p>The answers differ in too many places to be compared.</p>}
        {isSame && <p>Both answers are the same.</p>}
        {lines !== undefined && !isSame && (
          <div
            className="box-border w-full py-8 box whitespace-pre-wrap wrap-anywhere text-12/16 font-mono select-text"
            role="group"
            aria-label="Difference"
            tabIndex={0}
          >
            {lines.slice(0, most).map((line, index) => (
              <Line key={index} line={line} />
            ))}
          </div>
        )}
        {lines !== undefined && lines.length > most && (
          <TextButton look="link" onClick={() => setMost(most + LINES_AT_ONCE)}>
            Show more lines
          </TextButton>
        )}
      </div>
    </Dialog>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;
const lineLooks = {
  same: '',
  added: 'bg-running/16',
  removed: 'bg-failed/14',
  gap: 'text-dim italic',
} as const;

function Line({ line }: { readonly line: DifferenceLine }) {
  const look = `py-2 pr-12 pl-24 -indent-16 ${lineLooks[line.kind]}`;
  if (line.kind === 'gap') return <div className={look}>{formatPlural(line.count, 'line')} the same</div>;
  return (
    <div className={look}>
      <span className="inline-block w-16 indent-0">{signs[line.kind]}</span>
      {line.text}
    </div>
  );
}

/** Text of a call's answer, for the comparison. */
function answerText({ record }: PastCall, server: string): string {
  if (record?.phase === 'done') return toJson(record.outcome.result);
  return record?.phase === 'failed' ? errorAsText(record.error, server) : '';
}

/** Line of a difference; a gap replaces `count` equal lines. */
type DifferenceLine =
  | { readonly kind: 'same' | 'added' | 'removed'; readonly text: string }
  | { readonly kind: 'gap'; readonly count: number };

interface Difference {
  /** Lines in order from the top; undefined if the texts differ in too many places. */
  readonly lines: readonly DifferenceLine[] | undefined;
  /** True if only the beginnings of the texts were compared because the texts are too long. */
  readonly isCut: boolean;
}

const MOST_CHARACTERS = 400_000;

const MOST_EDITS = 4000;

const MOST_TIME_MS = 500;

/** Equal lines shown around a change. */
const CONTEXT_LINES = 3;

/** Returns the difference of two texts, line by line. Equal lines far from a change are replaced by a gap. */
export function differenceOf(before: string, after: string): Difference {
  const isCut = Math.max(before.length, after.length) > MOST_CHARACTERS;
  const parts = diffLines(before.slice(0, MOST_CHARACTERS), after.slice(0, MOST_CHARACTERS), {
    maxEditLength: MOST_EDITS,
    timeout: MOST_TIME_MS,
  });
  if (parts === undefined) return { lines: undefined, isCut };
  const lines = parts.flatMap(({ value, added, removed }, index) => {
    const texts = value.replace(/\n$/, '').split('\n');
    if (added || removed)
      return texts.map((text): DifferenceLine => ({ kind: added ? 'added' : 'removed', text }));
    return folded(texts, index === 0, index === parts.length - 1);
  });
  return { lines, isCut };
}

/** Returns equal lines, with those far from a change replaced by a gap. */
function folded(texts: readonly string[], isFirst: boolean, isLast: boolean): readonly DifferenceLine[] {
  const head = isFirst ? 0 : CONTEXT_LINES;
  const tail = isLast ? 0 : CONTEXT_LINES;
  const count = texts.length - head - tail;
  const same = (some: readonly string[]) => some.map((text) => ({ kind: 'same', text }) as const);
  if (count < 2) return same(texts);
  return [...same(texts.slice(0, head)), { kind: 'gap', count }, ...same(texts.slice(texts.length - tail))];
}
