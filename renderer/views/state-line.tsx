import { memo, type ReactNode } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import {
  markWords,
  needsAttention,
  type ServerCommand,
  shownMark,
  shownState,
  type StateKind,
  stateWords,
} from '../../shared/server-states.ts';
import { unplannedWords } from '../../shared/unplanned-words.ts';
import { describeState, explainState, saysSince, shownReason } from '../format/state-phrases.ts';
import { formatMoment } from '../format/moments.ts';
import { useNow, usePendingAction } from '../services.ts';

/** State text shown after the user has given a command, until the supervisor reports the first change of state. */
const asked: Readonly<Record<ServerCommand, string>> = {
  start: 'starting…',
  stop: 'stopping…',
  restart: 'restarting…',
};

interface StateLineProps {
  readonly server: ServerView;
  /** Whether the text wraps over several lines instead of being cut. */
  readonly isWhole?: boolean;
  /** Whether a card above shows the reason for the state, so that this line omits it. */
  readonly isTold?: boolean;
  /** Content right after the state word, such as the time of the state. */
  readonly children?: ReactNode;
}

/** State line: the state word in a separate element, then the reason and the time, updated live. */
export function StateLine({ server, isWhole = false, isTold = false, children }: StateLineProps) {
  const { state, name } = server;
  const pending = usePendingAction(name);
  const words = useNow((now) => describeState(server, now));
  const isUnderWay = state.kind === 'starting' || state.kind === 'stopping';
  const waiting = pending === undefined || isUnderWay ? undefined : asked[pending];
  return (
    <Words
      kind={shownState(server)}
      since={server.failingSince ?? state.since}
      unplanned={
        shownMark(server) === 'unstable' && server.unstable ? unplannedWords(server.unstable) : undefined
      }
      words={isTold ? '' : words}
      waiting={waiting}
      isWhole={isWhole}
      why={shownReason(state)}
      more={
        explainState(server) || (saysSince(state.kind) ? sinceWords(server.failingSince ?? state.since) : '')
      }
    >
      {children}
    </Words>
  );
}

const sinceWords = (since: number): string => `since ${formatMoment(since)}`;

interface WordsProps {
  readonly kind: StateKind;
  readonly since: number;
  /** Number of unplanned exits of an unstable server, as text; undefined for other servers. */
  readonly unplanned: string | undefined;
  readonly words: string;
  readonly waiting: string | undefined;
  readonly isWhole: boolean;
  /** Reason at the start of the text. It stays the same while the time in the rest of the text changes. */
  readonly why: string | undefined;
  /** Second part of the tooltip: an explanation of the state, or the time since when it has lasted. */
  readonly more: string;
  readonly children?: ReactNode;
}

const Words = memo(function Words(props: WordsProps) {
  const { kind, since, unplanned, words, waiting, isWhole, why, more, children } = props;
  const reason = waiting ?? words;
  const reasonLook = `min-w-0 overflow-hidden text-ellipsis text-dim after-dot ${isWhole ? 'wrap-anywhere select-text' : ''}`;
  return (
    // A wrapping text is one paragraph. In a single line, the parts are flex items, so that only the last part is truncated.
    <span className={isWhole ? 'min-w-0' : 'flex min-w-0 whitespace-nowrap'}>
      <span
        className={`inline-block flex-none ${needsAttention(kind) ? 'font-semibold' : 'text-dim'}`}
        data-tip={sinceWords(since)}
      >
        {stateWords[kind]}
      </span>
      {children}
      {unplanned !== undefined && (
        <>
          <span className="after-dot inline-block flex-none font-semibold" data-tip={unplanned}>
            {markWords.unstable}
          </span>
          {isWhole && <span className={reasonLook}>{unplanned}</span>}
        </>
      )}
      {reason !== '' && (
        // The tooltip contains the whole text, because the column may cut it off.
        <span
          className={`${reasonLook} ${waiting === undefined ? '' : 'animate-appear'}`}
          data-tip={more === '' ? reason : `${reason}\n${more}`}
          {...(more === '' && { 'data-tip-if-cut': true })}
        >
          {isWhole && why !== undefined && reason.startsWith(`${why} · `) ? (
            <>
              {why}
              {/* Numbers have a fixed width, so that the line breaks do not change each second. */}
              <span className="inline-block min-w-240 ml-4 whitespace-nowrap">
                {reason.slice(why.length)}
              </span>
            </>
          ) : (
            reason
          )}
        </span>
      )}
    </span>
  );
});
