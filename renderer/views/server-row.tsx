import { memo, type MouseEvent } from 'react';
import type { RecentCalls } from '../../shared/call-figures.ts';
import { commandsFor, needsAttention, shownState } from '../../shared/server-states.ts';
import { placeAt } from '../commands/menu-place.ts';
import { MoreButton } from '../commands/more-button.tsx';
import { ServerControls } from '../commands/server-controls.tsx';
import { errorsWords, recentCallsOf } from '../format/call-figures.ts';
import { formatDuration } from '../format/durations.ts';
import { formatCount, MISSING } from '../format/figures.ts';
import { formatMoment } from '../format/moments.ts';
import { useNow, useRoute, useServer, useServices, useView } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { ActionError } from './action-error.tsx';
import { clickRow } from './click-row.ts';
import { Figure, UsageCell } from './figure-cell.tsx';
import { NameCell } from './name-cell.tsx';
import { StateLine } from './state-line.tsx';
import { useShownColumns } from './use-shown-columns.ts';
import styles from './server-list.module.css';

interface ServerRowProps {
  readonly name: string;
  /** Whether a card tells why it is as it is, so that the row needs to say the state alone. */
  readonly isTold: boolean;
}

/** Row of one server. It renders by itself, once per push that names the server. */
export const ServerRow = memo(function ServerRow({ name, isTold }: ServerRowProps) {
  const server = useServer(name);
  const services = useServices();
  const shown = useShownColumns();
  const route = useRoute();
  const isSelected = useView(({ selection }) => selection.names.has(name));
  if (server === undefined) return null;
  const { state, sample } = server;
  const isOpen = route.view === 'server' && route.name === name;
  // A list that is held still keeps the card of a server that is well again, and is busy, for a while.
  const saysStateAlone = isTold && needsAttention(shownState(server));
  const isReasonLong = state.kind === 'failed' && sample === undefined && !saysStateAlone;
  // A server at an address has no process here, which differs from none being left.
  const processes = formatCount(server.transport === 'stdio' ? sample?.processCount : undefined);
  const restarts = formatCount(server.restartsTotal);
  return (
    <div
      role="row"
      aria-label={name}
      className={styles.row}
      data-server={name}
      aria-selected={isSelected}
      {...(isOpen && { 'aria-current': 'page' as const })}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={(event: MouseEvent<HTMLElement>) => clickRow(event, name, services)}
      onContextMenu={(event) => {
        event.preventDefault();
        services.manage.setMenu(placeAt(name, event.clientX, event.clientY));
      }}
    >
      <div className={isReasonLong ? `${styles.cells} ${styles.reasonLong}` : styles.cells}>
        <NameCell server={server} href={serverHref(name)} isSelected={isSelected} />
        <span role="cell" className={styles.state}>
          <StateLine server={server} isTold={saysStateAlone} />
        </span>
        <UsageCell server={server} figure="memory" />
        <UsageCell server={server} figure="cpu" />
        {shown.processes && (
          <span role="cell" className={styles.processes} aria-label={`Processes ${processes}`}>
            <Figure text={processes} />
          </span>
        )}
        {shown.restarts && (
          <span role="cell" className={styles.restarts} aria-label={`Restarts ${restarts}`}>
            <Figure text={restarts} isQuiet={server.restartsTotal === 0} />
          </span>
        )}
        {shown.calls && <CallsCell recent={recentCallsOf(server)} />}
        {shown.uptime && (
          <span role="cell" className={styles.uptime}>
            <Uptime since={server.runningSince} />
          </span>
        )}
        {shown.controls && (
          <span role="cell" className={styles.controls}>
            <ServerControls server={name} allowed={commandsFor(server)} />
            <MoreButton server={name} />
          </span>
        )}
      </div>
      <ActionError server={name} className={styles.error ?? ''} />
    </div>
  );
});

/** Calls of the last minute, and how many of them failed. */
function CallsCell({ recent }: { readonly recent: RecentCalls | undefined }) {
  const calls = formatCount(recent?.calls);
  const errors = errorsWords(recent?.errors ?? 0);
  const words = [`Calls per minute ${calls}`, errors].filter((part) => part !== undefined).join(', ');
  return (
    <span role="cell" className={styles.calls} aria-label={words}>
      {errors !== undefined && (
        <span className={styles.failed} data-tip={`${errors} in the last minute`}>
          ✕ {formatCount(recent?.errors)}
        </span>
      )}
      <Figure text={calls} isQuiet={recent?.calls === 0} />
    </span>
  );
}

function Uptime({ since }: { readonly since: number | undefined }) {
  const text = useNow((now) => (since === undefined ? MISSING : formatDuration(now - since)));
  return (
    <span
      className={since === undefined ? styles.missing : styles.value}
      {...(since !== undefined && { 'data-tip': `since ${formatMoment(since)}` })}
    >
      {text}
    </span>
  );
}
