import type { ServerView } from '../../shared/domain.ts';
import { KEPT_DAYS } from '../../shared/retention.ts';
import { formatDay, formatHourMinute } from '../format/moments.ts';
import styles from './restarts.module.css';

interface NoEndsProps {
  readonly server: Pick<ServerView, 'name' | 'runningSince' | 'generation'>;
  /** Time of the oldest stored event. */
  readonly from: number;
}

/** Text for a server whose runs have not ended: since when, and how far back that is known. */
export function NoEnds({ server: { runningSince, generation }, from }: NoEndsProps) {
  const since = runningSince;
  return (
    <div className={styles.empty}>
      <h2 className={styles.title}>
        {since !== undefined && `Has not restarted since ${moment(since)}`}
        {since === undefined && (generation === 0 ? 'It has not run yet' : 'No run of it has ended')}
      </h2>
      <p className={styles.dim}>
        Each end of a run is told here for {KEPT_DAYS} days: what led to it, what it had in use, its last
        words, and the calls that were lost. Events are kept since {moment(from)}.
      </p>
    </div>
  );
}

const moment = (at: number): string => `${formatDay(at)}, ${formatHourMinute(at)}`;
