import type { ReactNode } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import { whereOf } from '../format/server-place.ts';
import { Icon } from '../ui/icon.tsx';
import { useToolWords } from './use-tool-words.ts';
import styles from './server-chips.module.css';

/** Key facts of a server in one line; facts that do not apply are left out. */
export function ServerChips({ server }: { readonly server: ServerView }) {
  const { serverInfo, name } = server;
  const tools = useToolWords(name);
  const { words: place, hint = '' } = whereOf(server);
  return (
    <ul className={styles.chips} aria-label={`About ${name}`}>
      {serverInfo !== undefined && (
        <Chip tip="What it says it is, and its version">{`${serverInfo.name} ${serverInfo.version}`}</Chip>
      )}
      {place !== undefined && (
        <Chip tip={hint}>
          <Icon name="container" size={12} /> {place}
        </Chip>
      )}
      {tools !== undefined && <Chip tip="Tools it offers">{tools}</Chip>}
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
  readonly look?: 'chip' | 'warning';
  readonly children: ReactNode;
}

function Chip({ tip, look = 'chip', children }: ChipProps) {
  return (
    <li className={styles[look]} data-tip={tip}>
      {children}
    </li>
  );
}
