import type { AnchorHTMLAttributes } from 'react';
import { usePanel } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import styles from './usage-charts.module.css';

interface UsedServerProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly server: string;
}

/** Link to a server that used something; one that was removed since is named as that. */
export function UsedServer({ server, ...link }: UsedServerProps) {
  const isRemoved = usePanel(({ servers }) => !servers.has(server));
  return (
    <a href={serverHref(server)} {...link}>
      {server}
      {isRemoved && <span className={styles.removed}> removed</span>}
    </a>
  );
}
