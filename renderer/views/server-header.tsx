import { useEffect, useRef } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import { commandsFor, shownMark } from '../../shared/server-states.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ServerControls } from '../commands/server-controls.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { StateLine } from './state-line.tsx';
import { formatClockTime, formatDay, formatMoment } from '../format/moments.ts';
import { saysSince } from '../format/state-phrases.ts';
import { MoreButton } from '../commands/more-button.tsx';
import { withShortcut } from '../commands/shortcuts.ts';
import { hrefOf } from '../store/route-store.ts';
import { useNow } from '../services.ts';
import { ServerChips } from './server-chips.tsx';
import { ServerDetails } from './server-details.tsx';
import styles from './server-header.module.css';

function withoutReason(server: ServerView): ServerView {
  const { kind, since, nextRetryAt } = server.state;
  return { ...server, state: { kind, since, nextRetryAt } };
}

interface ServerHeaderProps {
  readonly server: ServerView;
  /** Whether the view below gives the reason for the state, so that the header shows only its time. */
  readonly isCauseTold?: boolean;
}

/** Header of a server: its name, its state and since when, the commands, and its key facts. */
export function ServerHeader({ server, isCauseTold = false }: ServerHeaderProps) {
  const { name, state } = server;
  const head = useRef<HTMLHeadingElement>(null);
  // Focus starts at the heading of a new page, for the keyboard and screen readers.
  useEffect(() => head.current?.focus(), []);
  return (
    <header className={styles.header}>
      <div className={styles.top}>
        <a
          className={styles.back}
          href={hrefOf({ view: 'servers' })}
          aria-label="Back to all servers"
          data-tip={withShortcut('Back to all servers', 'back')}
        >
          <Icon name="back" />
        </a>
        <h1 ref={head} className={styles.name} tabIndex={-1} data-home>
          {name}
        </h1>
        <span className={styles.gap} />
        <ServerControls server={name} allowed={commandsFor(server)} isLabelled />
        <MoreButton server={name} />
      </div>
      <p className={styles.state}>
        <StateShape kind={shownMark(server)} />
        <StateLine server={isCauseTold ? withoutReason(server) : server} isWhole>
          {!saysSince(state.kind) && <Since at={state.since} />}
        </StateLine>
      </p>
      <div className={styles.about}>
        <ServerChips server={server} />
        <div className={styles.target}>
          <code data-tip={server.target} data-tip-if-cut>
            {server.target}
          </code>
          <CopyButton
            name={server.transport === 'stdio' ? 'Copy the command' : 'Copy the address'}
            text={server.target}
          />
        </div>
        <ServerDetails server={server} />
      </div>
    </header>
  );
}

function Since({ at }: { readonly at: number }) {
  const words = useNow((now) => (formatDay(at) === formatDay(now) ? formatClockTime(at) : formatMoment(at)));
  return (
    <time className={styles.since} dateTime={new Date(at).toISOString()} data-tip={formatMoment(at)}>
      since {words}
    </time>
  );
}
