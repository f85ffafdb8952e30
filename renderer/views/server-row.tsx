import { memo, type MouseEvent } from 'react';
import type { RecentCalls } from '../../shared/call-figures.ts';
import { commandsFor, shownState } from '../../shared/server-states.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { ActionError } from './action-error.tsx';
import { ServerControls } from '../commands/server-controls.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { StateLine } from './state-line.tsx';
import { placeAt } from '../commands/menu-place.ts';
import { MoreButton } from '../commands/more-button.tsx';
import { errorsWords, recentCallsOf } from '../format/call-figures.ts';
import { formatDuration } from '../format/durations.ts';
import { formatCount, formatCpu, formatMemory, MISSING } from '../format/figures.ts';
import { formatMoment } from '../format/moments.ts';
import { serverHref } from '../store/route-store.ts';
import { useNow, useServer, useServices, useView } from '../services.ts';
import styles from './server-list.module.css';

/** One server of the overview. Renders by itself, once per push that names it. */
export const ServerRow = memo(function ServerRow({ name }: { readonly name: string }) {
  const server = useServer(name);
  const { manage } = useServices();
  const showsCalls = useView((state) => state.showsCalls);
  if (server === undefined) return null;
  const { state, sample } = server;
  const href = serverHref(name);
  const isGivenUp = state.kind === 'failed' && sample === undefined;
  const memory = formatMemory(sample?.memoryBytes);
  const cpu = formatCpu(sample?.cpuPercent);
  // A server at an address has no process here, which is not the same as none left.
  const processes = formatCount(server.transport === 'stdio' ? sample?.processCount : undefined);
  const restarts = formatCount(server.restartsTotal);
  return (
    <div
      role="row"
      aria-label={name}
      className={styles.row}
      data-server={name}
      onClick={(event) => openRow(event, href)}
      onContextMenu={(event) => {
        event.preventDefault();
        manage.setMenu(placeAt(name, event.clientX, event.clientY));
      }}
    >
      <div className={isGivenUp ? `${styles.cells} ${styles.told}` : styles.cells}>
        <span role="cell" className={styles.name}>
          <StateShape kind={shownState(server)} />
          <a href={href} aria-label={`Open ${name}`} data-home data-tip={`${name}\n${server.target}`}>
            {name}
          </a>
        </span>
        <span role="cell" className={styles.state}>
          <StateLine server={server} />
        </span>
        <span role="cell" className={styles.figure} aria-label={`Memory ${memory}`}>
          <Sparkline server={name} figure="memory" />
          <Figure text={memory} />
        </span>
        <span role="cell" className={styles.figure} aria-label={`CPU ${cpu}`}>
          <Sparkline server={name} figure="cpu" />
          <Figure text={cpu} />
        </span>
        <span role="cell" className={styles.processes} aria-label={`Processes ${processes}`}>
          <Figure text={processes} />
        </span>
        <span role="cell" className={styles.restarts} aria-label={`Restarts ${restarts}`}>
          <Figure text={restarts} isQuiet={server.restartsTotal === 0} />
        </span>
        {showsCalls && <CallsCell recent={recentCallsOf(server)} />}
        <span role="cell" className={styles.uptime}>
          <Uptime since={server.runningSince} />
        </span>
        <span role="cell" className={styles.controls}>
          <ServerControls server={name} allowed={commandsFor(server)} />
          <MoreButton server={name} />
        </span>
      </div>
      <ActionError server={name} className={styles.error ?? ''} />
    </div>
  );
});

interface FigureProps {
  readonly text: string;
  readonly isQuiet?: boolean;
}

const Figure = memo(function Figure({ text, isQuiet = false }: FigureProps) {
  return <span className={text === MISSING || isQuiet ? styles.missing : styles.value}>{text}</span>;
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

/** The whole row is a target for the pointer; the link inside it is the one for keyboard and screen reader. */
function openRow(event: MouseEvent<HTMLElement>, href: string): void {
  const isOnControl =
    event.target instanceof Element && event.target.closest('a, button, [role="alert"]') !== null;
  const isSelecting = window.getSelection()?.isCollapsed === false;
  if (!isOnControl && !isSelecting && !event.defaultPrevented) window.location.hash = href;
}
