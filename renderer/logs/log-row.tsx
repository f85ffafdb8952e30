import { memo, useEffect, useMemo, type RefCallback } from 'react';
import { formatCount, formatData } from '../format/figures.ts';
import { formatClockTime, formatMoment } from '../format/moments.ts';
import type { ShownLine } from '../format/log-lines.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { isDivider, type LogRow, pairWords } from './log-rows.ts';
import type { LogContent } from '../../shared/log-lines.ts';
import { jsonWithin } from '../inspector/json-rows.ts';
import { JsonTree } from '../inspector/json-tree.tsx';
import { LongText } from '../inspector/long-text.tsx';
import { useServices, useTask } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import type { TextMark } from '../format/terminal-text.ts';

/** Action of a part of a row when it is clicked. The list reads it from the part's attribute `data-does`. */
export type RowAction = 'select' | 'open' | 'context' | 'pair';

interface LogRowProps {
  readonly row: LogRow;
  /** Height in px of the rows directly above this one that are not in the DOM. */
  readonly gapPx: number;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  /** True if a long line, or the content of a message, is expanded. */
  readonly isOpen: boolean;
  /** True if the row has a button that shows the line among its neighbors, which the filter hides. */
  readonly hasContext: boolean;
  /** Colour of the server as a CSS value; undefined if all lines belong to one server, which is then not named. */
  readonly colour: string | undefined;
  /** Ref callback that reports the height of the row whenever it changes. */
  readonly measure: RefCallback<HTMLElement>;
}

/** Characters of a long line that are shown until it is expanded, because every character slows the page down. */
const SHOWN_CHARACTERS = 2000;

// With its borders, the minimum height equals the height that is estimated before a row is drawn.
const anyLine =
  'group relative flex gap-12 box-border min-h-18 pr-6 pl-16 border-y border-transparent text-12/16';
// A colored edge marks errors and warnings, in addition to the word for the level in the line.
const edge = "before:content-[''] before:absolute before:inset-y-1 before:left-0 before:w-3";
const edges = new Map([
  ['error', `${edge} before:bg-failed`],
  ['warning', `${edge} before:bg-suspect`],
]);
const selectedLook =
  'bg-accent-soft forced-colors:[outline:1px_solid_Highlight] forced-colors:-outline-offset-1';

function lineLook(line: ShownLine, { isSelected, isCurrent }: Pick<LogRowProps, 'isSelected' | 'isCurrent'>) {
  const ground = isSelected ? selectedLook : isCurrent ? 'bg-hover' : 'hover:bg-hover';
  const frame = isCurrent ? '[box-shadow:inset_0_0_0_1px_var(--strong-line)]' : '';
  return `${anyLine} ${edges.get(line.level ?? '') ?? ''} ${ground} ${frame}`;
}

const timeLook = 'flex-none tabular-nums select-none cursor-default hover:text-text hover:underline';
const nameLook = 'flex-none truncate select-none';
const contextLook =
  'sticky right-4 self-start flex-none h-16 -mt-4 mb-4 opacity-0 group-hover:opacity-100 focus-within:opacity-100';
const foldLook =
  'mr-4 -ml-4 px-2 rounded-sm align-top text-faint hover:bg-line hover:text-text [&>svg]:align-[-2px]';

function textLook({ level, source }: ShownLine): string {
  const isQuiet = level === 'debug' || source === 'traffic' || source === 'panel';
  const wrap = 'whitespace-pre in-data-wraps:whitespace-pre-wrap in-data-wraps:wrap-anywhere';
  return `${wrap} font-mono select-text ${isQuiet ? 'text-dim' : ''}`;
}

export const LogRowView = memo(function LogRowView({ row, gapPx, measure, ...rest }: LogRowProps) {
  const style = gapPx === 0 ? {} : { style: { marginTop: gapPx } };
  if (isDivider(row)) {
    return (
      <li
        className="relative box-border h-30 pt-8 px-16 pb-4 whitespace-nowrap text-12/16 text-faint"
        data-line={row.id}
        {...style}
      >
        {row.words}
      </li>
    );
  }
  const faint = rest.isSelected ? 'text-dim' : 'text-faint';
  return (
    <li
      ref={measure}
      className={lineLook(row, rest)}
      data-line={row.id}
      data-moment={row.at}
      data-moment-server={row.server ?? undefined}
      data-selected={rest.isSelected || undefined}
      data-current={rest.isCurrent || undefined}
      {...style}
    >
      <time
        className={`${timeLook} ${faint}`}
        {...does('select')}
        data-tip={`${formatMoment(row.at)}  Select the line`}
      >
        {formatClockTime(row.at)}
      </time>
      {rest.colour !== undefined && <ServerName line={row} colour={rest.colour} />}
      <span className={`${nameLook} w-48 ${faint}`}>{sourceWords(row)}</span>
      <LineContent line={row} isOpen={rest.isOpen} />
      {rest.hasContext && (
        <span className={contextLook}>
          <IconButton
            icon="context"
            name={`Show ${row.text.slice(0, 40)} with the lines around it`}
            {...does('context')}
          />
        </span>
      )}
    </li>
  );
});

/** Text of a line with a button that expands a long text or the content of a message. */
function LineContent({ line, isOpen }: { readonly line: ShownLine; readonly isOpen: boolean }) {
  const { traffic } = line;
  const isCut = !isOpen && line.text.length > SHOWN_CHARACTERS;
  return (
    <span className="flex-1 min-w-0">
      {traffic?.hasContent === true && (
        <button
          type="button"
          className={`${foldLook} ${isOpen ? '[&>svg]:rotate-90' : ''}`}
          aria-expanded={isOpen}
          aria-label="What the message said"
          {...does('open')}
        >
          <Icon name="more" size={12} />
        </button>
      )}
      <span className={textLook(line)} data-text>
        <MarkedText text={isCut ? line.text.slice(0, SHOWN_CHARACTERS) : line.text} marks={line.marks} />
      </span>
      {isCut && traffic === undefined && (
        <button type="button" className="ml-4 link text-dim" {...does('open')}>
          … show all {formatCount(line.text.length)} characters
        </button>
      )}
      {traffic !== undefined && isOpen && <TrafficContent line={line} />}
    </span>
  );
}

function ServerName({ line, colour }: { readonly line: ShownLine; readonly colour: string }) {
  const name = line.instance ?? line.server ?? 'panel';
  return (
    <span className={`${nameLook} w-116 text-dim`} data-tip={name}>
      {/* The square shows the server's colour. The name has the normal text colour, because not every colour is legible as
          text. */}
      <span className="inline-block mr-6 swatch" style={{ background: colour }} />
      {name}
    </span>
  );
}

/** Returns one word for the source of a line, or for its level if the text itself does not contain the level. */
function sourceWords({ source, level }: ShownLine): string {
  if (source === 'protocol') return 'not MCP';
  return level !== undefined && source !== 'stderr' && source !== 'traffic' ? level : source;
}

const does = (action: RowAction) => ({ 'data-does': action });

// The badge has an outline in its text color instead of a background, whose contrast with the text would have to be checked
// separately.
const badgeLook = '[border-radius:2px] [box-shadow:inset_0_0_0_1px_currentColor]';

/** Text of a line in the colors that its server set with terminal codes. */
function MarkedText({
  text,
  marks,
}: {
  readonly text: string;
  readonly marks: readonly TextMark[] | undefined;
}) {
  if (marks === undefined) return text;
  let end = 0;
  const parts = marks.flatMap((mark) => {
    const before = text.slice(end, mark.start);
    end = mark.end;
    const marked = (
      <span
        key={mark.start}
        className={mark.isBadge && badgeLook}
        style={{
          color: mark.colour && `var(--terminal-${mark.colour})`,
          fontWeight: mark.isBold && 700,
        }}
      >
        {text.slice(mark.start, mark.end)}
      </span>
    );
    return before === '' ? [marked] : [before, marked];
  });
  return [...parts, text.slice(end)];
}

/** Content of an MCP message, fetched from the main process when the user expands its line. */
function TrafficContent({ line: { key, traffic } }: { readonly line: ShownLine }) {
  const { api } = useServices();
  const { status, run } = useTask<LogContent | undefined>();
  useEffect(() => void run(() => api.getLogContent(key)), [api, key, run]);
  return (
    <div
      className="flex flex-col items-start gap-4 max-w-960 pt-4 pb-8 whitespace-normal"
      role="group"
      aria-label="What the message said"
    >
      {status === undefined || status.phase === 'pending' ? (
        <p className="text-dim">Reading…</p>
      ) : status.phase === 'failed' ? (
        <p className="text-dim" role="alert">
          It could not be read: {status.error.message}
        </p>
      ) : status.value === undefined ? (
        <p className="text-dim">
          Its content is no longer kept. It is kept only in memory, for the last messages of each server.
        </p>
      ) : (
        <Message content={status.value} />
      )}
      {traffic?.pairKey !== undefined && (
        <TextButton look="link" data-does="pair">
          {pairWords(traffic)}
        </TextButton>
      )}
    </div>
  );
}

function Message({ content: { text, leftOutBytes } }: { readonly content: LogContent }) {
  const json = useMemo(() => jsonWithin(text), [text]);
  return (
    <>
      {json === undefined ? (
        <LongText text={text} name="Message" />
      ) : (
        <div className="flex flex-col self-stretch items-start gap-4 *:first:self-stretch">
          <JsonTree value={json.value} name="Message" />
          <CopyButton name="Copy the message" label="Copy" text={() => JSON.stringify(json.value, null, 2)} />
        </div>
      )}
      {leftOutBytes > 0 && <p className="text-dim">{formatData(leftOutBytes)} of it is not kept.</p>}
    </>
  );
}
