import { failed, restartFailed, stopAll, stoppable } from '../commands/many-commands.ts';
import { formatCount } from '../format/figures.ts';
import { usePanel, useServices } from '../services.ts';
import { Popover } from '../ui/popover.tsx';
import { TextButton } from '../ui/text-button.tsx';
import styles from './list-bar.module.css';

/** Menu of commands to all servers, including those that the list does not show. */
export function AllServersMenu() {
  const services = useServices();
  const up = usePanel(({ servers }) => stoppable([...servers.values()]).length);
  const givenUp = usePanel(({ servers }) => failed([...servers.values()]).length);
  return (
    <div className={styles.end}>
      <Popover name="All servers" label="All" icon="dots" tip="Commands to all servers">
        <div className={styles.commands}>
          <TextButton disabled={up === 0} onClick={() => stopAll(services)}>
            Stop all{count(up)}
          </TextButton>
          <TextButton disabled={givenUp === 0} onClick={() => restartFailed(services)}>
            Restart failed{count(givenUp)}
          </TextButton>
        </div>
      </Popover>
    </div>
  );
}

const count = (servers: number): string => (servers === 0 ? '' : ` · ${formatCount(servers)}`);
