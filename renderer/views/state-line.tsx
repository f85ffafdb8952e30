import { memo, type ReactNode } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import {
  markWords,
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
import styles from './state-line.module.css';

/** Words between a click and the first report of the supervisor. */
const asked: Readonly<Record<ServerCommand, string>> = {
  start: 'starting…',
  stop: 'stopping…',
  restart: 'restarting…',
};

interface StateLineProps {
  readonly server: ServerView;
  /** Whether the words wrap over several lines, not cut. */
  readonly isWhole?: boolean;
  /** Whether a card above tells the reason already, so that the word alone is left. */
  readonly isTold?: boolean;
  /** Content directly behind the state word, such as the moment of the state. */
  readonly children?: ReactNode;
}

/** State line: the state word, alone in its element, then the reason and the time, live. */
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
  /** How often it ended unplanned, of an unstable server. */
  readonly unplanned: string | undefined;
  readonly words: string;
  readonly waiting: string | undefined;
  readonly isWhole: boolean;
  /** Reason that the words may begin with, and that stays while the rest counts. */
  readonly why: string | undefined;
  /** Meaning of the words, or the moment that they count from. */
  readonly more: string;
  readonly children?: ReactNode;
}

const Words = memo(function Words(props: WordsProps) {
  const { kind, since, unplanned, words, waiting, isWhole, why, more, children } = props;
  const reason = waiting ?? words;
  return (
    <span className={isWhole ? `${styles.line} ${styles.whole}` : styles.line}>
      <span className={styles[kind]} data-tip={sinceWords(since)}>
        {stateWords[kind]}
      </span>
      {children}
      {unplanned !== undefined && (
        <>
          <span className={styles.unstable} data-tip={unplanned}>
            {markWords.unstable}
          </span>
          {isWhole && <span className={styles.reason}>{unplanned}</span>}
        </>
      )}
      {reason !== '' && (
        // The tip holds the whole text where the column cuts it.
        <span
          className={waiting === undefined ? styles.reason : styles.waiting}
          data-tip={more === '' ? reason : `${reason}\n${more}`}
          {...(more === '' && { 'data-tip-if-cut': true })}
        >
          {isWhole && why !== undefined && reason.startsWith(`${why} · `) ? (
            <>
              {why}
              <span className={styles.live}>{reason.slice(why.length)}</span>
            </>
          ) : (
            reason
          )}
        </span>
      )}
    </span>
  );
});
