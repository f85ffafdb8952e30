import type { ReactNode } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import { formatDuration } from '../format/durations.ts';
import { formatPlural, restartsMeaning } from '../format/figures.ts';
import { formatMoment } from '../format/moments.ts';
import { transportNames } from '../format/server-list.ts';
import { useNow } from '../services.ts';
import { useToolWords } from './use-tool-words.ts';
import styles from './server-chips.module.css';

/** Key facts of a server in one line; facts that do not apply are left out. */
export function ServerChips({ server }: { readonly server: ServerView }) {
  const { serverInfo, transport, pid, runningSince, restarts24h = 0, autoStart, name } = server;
  const tools = useToolWords(name);
  return (
    <ul className={styles.chips} aria-label={`About ${name}`}>
      {serverInfo !== undefined && (
        <Chip tip="What it says it is, and its version">{`${serverInfo.name} ${serverInfo.version}`}</Chip>
      )}
      {tools !== undefined && <Chip tip="Tools it offers">{tools}</Chip>}
      {pid !== undefined && <Chip tip="The process that was started for it">{`pid ${pid}`}</Chip>}
      {runningSince !== undefined && <Uptime since={runningSince} />}
      <Chip tip="How it is talked to">{transportNames[transport]}</Chip>
      {restarts24h > 0 && (
        <Chip tip={restartsMeaning}>{`${formatPlural(restarts24h, 'restart')} in 24 h`}</Chip>
      )}
      {!autoStart && <Chip tip="It does not start with the panel">by hand only</Chip>}
      {server.isTlsUnverified === true && (
        <Chip
          tip="Its entry says tls.verify: false. Anyone on the network path can impersonate it."
          look="warning"
        >
          certificate not checked
        </Chip>
      )}
    </ul>
  );
}

interface ChipProps {
  readonly tip: string;
  readonly look?: 'chip' | 'counting' | 'warning';
  readonly children: ReactNode;
}

function Chip({ tip, look = 'chip', children }: ChipProps) {
  return (
    <li className={styles[look]} data-tip={tip}>
      {children}
    </li>
  );
}

function Uptime({ since }: { readonly since: number }) {
  const words = useNow((now) => formatDuration(now - since));
  return (
    <Chip tip={`Running since ${formatMoment(since)}`} look="counting">
      {`up ${words}`}
    </Chip>
  );
}
