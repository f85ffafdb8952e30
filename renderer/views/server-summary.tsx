import { useEffect } from 'react';
import { useStore } from 'zustand/react';
import type { EventKind, PanelEvent, ServerView } from '../../shared/domain.ts';
import { eventGroups, eventLine } from '../format/event-words.ts';
import { formatMoment } from '../format/moments.ts';
import { describePattern } from '../format/pattern-words.ts';
import { bestHourWords, trendWords } from '../format/trend-words.ts';
import { useServices } from '../services.ts';
import { hrefOf } from '../store/route-store.ts';
import styles from './server-page.module.css';

const MOST_SENTENCES = 2;
const changes: ReadonlySet<EventKind> = new Set(eventGroups.changes);

interface ServerSummaryProps {
  readonly server: ServerView;
  /** Events of this server within the time shown, oldest first. */
  readonly events: readonly PanelEvent[];
}

/** What there is to say above the charts: the pattern of its restarts, its trend, its last change; the first two of these. */
export function ServerSummary({ server, events }: ServerSummaryProps) {
  const { name, trend } = server;
  const pattern = usePattern(server);
  const change = events.findLast(({ kind }) => changes.has(kind));
  const sentences = [
    pattern !== undefined && (
      <p key="pattern">
        {pattern}.{' '}
        <a className={styles.link} href={hrefOf({ view: 'server', name, tab: 'restarts' })}>
          Why
        </a>
      </p>
    ),
    trend !== undefined && (
      <p key="trend" role="group" aria-label={`Trend of ${name}`}>
        Memory: {trendWords(trend)}
        {trend.bestHour && `; best hour to restart: ${bestHourWords(trend.bestHour)}`}.
      </p>
    ),
    change !== undefined && (
      <p key="change">
        Last change, {formatMoment(change.at)}: {eventLine(change)}
      </p>
    ),
  ].filter(Boolean);
  if (sentences.length === 0) return null;
  return <div className={styles.summary}>{sentences.slice(0, MOST_SENTENCES)}</div>;
}

/** What most of its restarts have in common; undefined for a server that has not restarted lately. */
function usePattern({ name, restarts24h = 0, unstable }: ServerView): string | undefined {
  const { stories } = useServices();
  const hasRestarted = restarts24h > 0 || unstable !== undefined;
  useEffect(
    () => (hasRestarted ? stories.follow(name) : undefined),
    [stories, name, hasRestarted, restarts24h],
  );
  const first = useStore(stories.state, ({ server, story }) =>
    hasRestarted && server === name ? story?.patterns[0] : undefined,
  );
  return first && describePattern(first);
}
