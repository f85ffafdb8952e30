import { useEffect, useRef, type ReactNode } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import { commandsFor, shownState } from '../../shared/server-states.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ServerControls } from '../commands/server-controls.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { StateLine } from './state-line.tsx';
import { formatDuration } from '../format/durations.ts';
import { formatCount, MISSING } from '../format/figures.ts';
import { formatClockTime, formatDay, formatMoment } from '../format/moments.ts';
import { transportNames } from '../format/server-list.ts';
import { saysSince } from '../format/state-phrases.ts';
import { MoreButton } from '../commands/more-button.tsx';
import { withShortcut } from '../keyboard.ts';
import { hrefOf } from '../store/route-store.ts';
import { useNow } from '../services.ts';
import styles from './server-header.module.css';

/** Header of a server: its name, its state and since when, and the commands. */
export function ServerHeader({ server }: { readonly server: ServerView }) {
  const { name, state } = server;
  const head = useRef<HTMLHeadingElement>(null);
  // Focus starts at the head of a new page, for the keyboard and for a screen reader.
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
        <StateShape kind={shownState(server)} />
        <StateLine server={server} isWhole>
          {!saysSince(state.kind) && <Since at={state.since} />}
        </StateLine>
      </p>
      <dl className={styles.facts}>
        {/* All facts are always present because one that comes and goes would move the others. */}
        <Fact term="Version">
          {server.serverInfo && `${server.serverInfo.name} ${server.serverInfo.version}`}
        </Fact>
        <Fact term="Transport">{transportNames[server.transport]}</Fact>
        <Fact term="Process">{server.pid && `pid ${server.pid}`}</Fact>
        <Fact term="Uptime">{server.runningSince && <Uptime since={server.runningSince} />}</Fact>
        <Fact term="Generation">{server.generation || undefined}</Fact>
        <Fact term="Restarts">{formatCount(server.restartsTotal)}</Fact>
        {server.isTlsUnverified === true && (
          <Fact term="Certificate">
            <span
              className={styles.warning}
              data-tip="Its entry says tls.verify: false: anybody on the way can pose as it."
            >
              not checked
            </span>
          </Fact>
        )}
        {!server.autoStart && <Fact term="Start">by hand only</Fact>}
        <div className={styles.target}>
          <dt>{server.transport === 'stdio' ? 'Command' : 'Address'}</dt>
          <dd>
            <code data-tip={server.target} data-tip-if-cut>
              {server.target}
            </code>
            <CopyButton
              name={server.transport === 'stdio' ? 'Copy the command' : 'Copy the address'}
              text={server.target}
            />
          </dd>
        </div>
      </dl>
    </header>
  );
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>{children ?? MISSING}</dd>
    </div>
  );
}

function Uptime({ since }: { readonly since: number }) {
  return (
    <span data-tip={`since ${formatMoment(since)}`}>{useNow((now) => formatDuration(now - since))}</span>
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
