import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import type { SessionsView, SessionView, SharingView } from '../../shared/sessions-view.ts';
import { ErrorNote, FailedNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { formatCount, formatMemory, formatPlural, MISSING } from '../format/figures.ts';
import { useAsk, useNow, usePanel, useServer, useServices } from '../services.ts';
import styles from './sessions.module.css';
import { SessionClients, useLeaseHolder } from './session-clients.tsx';
import { formatAgo, formatDuration, formatUntil } from '../format/durations.ts';
import { TextButton } from '../ui/text-button.tsx';
import { formatHourMinute, formatMoment } from '../format/moments.ts';

/** Sessions of a server: the clients that share it, and the connections open for them. */
export function SessionsTab({ name }: { readonly name: string }) {
  const { clients, sessions } = useServices();
  useEffect(() => sessions.follow(name), [sessions, name]);
  useEffect(() => clients.follow(), [clients]);
  const { view, error } = useStore(sessions.state);
  if (view === undefined) {
    return (
      <div className="px-16 pt-12 pb-24">
        {error === undefined ? (
          <p className="text-dim">Loading its sessions…</p>
        ) : (
          <ErrorNote error={error} server={name} lead="Its sessions could not be listed" />
        )}
      </div>
    );
  }
  const count = view.sessions.length;
  return (
    <div className="px-16 pt-12 pb-24">
      <Sharing name={name} sharing={view.sharing} />
      <SharingAdvice name={name} view={view} />
      <SessionClients server={name} />
      <section aria-label="Sessions">
        <h2 className="label pt-12 pb-6">{count === 0 ? 'Sessions' : formatPlural(count, 'session')}</h2>
        {count === 0 && (
          <p className="text-dim">
            No client uses this server now. A session opens with the first call, for instance from the Tools
            tab.
          </p>
        )}
        <ul className="flex flex-col gap-8">
          {view.sessions.map((session) => (
            <SessionItem key={`${session.instance} ${session.generation}`} server={name} session={session} />
          ))}
        </ul>
      </section>
    </div>
  );
}

const choices = [
  { value: 'auto', label: 'Auto' },
  { value: 'shared', label: 'Shared' },
  { value: 'exclusive', label: 'Exclusive' },
] as const;

const meanings: Readonly<Record<SharingView['mode'], string>> = {
  shared: 'All clients use the same connection.',
  exclusive: 'Each client gets its own connection; with a local server, its own process.',
};

function Sharing({ name, sharing }: { readonly name: string; readonly sharing: SharingView }) {
  const { status, choose } = useSharingChoice(name);
  const { mode, setting, words } = sharing;
  return (
    <section
      className="flex flex-wrap items-center gap-x-24 gap-y-8 pb-12 border-b border-line"
      aria-label="Sharing"
    >
      <div className="flex-[1_1_320px]">
        <h2 className="text-16/24 font-semibold">{mode === 'shared' ? 'Shared' : 'Exclusive'}</h2>
        <p className="text-dim">
          {meanings[mode]} {words}
        </p>
      </div>
      <Segments name="Sharing" value={setting} choices={choices} onChange={choose} />
      <FailedNote status={status} server={name} lead="Not changed" />
    </section>
  );
}

/** Status of the last change to how a server is shared, and a function that makes such a change. */
function useSharingChoice(name: string) {
  const { asks, api, sessions } = useServices();
  const key = `sharing ${name}`;
  const choose = (setting: SharingView['setting']) =>
    void asks.run(key, () => api.setSharing(name, setting)).then(() => sessions.refresh());
  return { status: useAsk(key), choose };
}

interface SharingAdviceProps {
  readonly name: string;
  readonly view: SessionsView;
}

/**
 * Advice on sharing a server: what the panel has observed about the server, the cost of a process per client, and buttons that
 * change the setting. Nothing is shown if there is no advice.
 */
function SharingAdvice({ name, view }: SharingAdviceProps) {
  const memoryBytes = useServer(name)?.sample?.memoryBytes;
  const { sharing, givenUp = [] } = view;
  const isChosen = sharing.setting !== 'auto' || sharing.mode === 'exclusive';
  const second = isChosen ? undefined : secondClientWords(sharing);
  const words = [turnWords(sharing), second].filter((one) => one !== undefined);
  if (words.length === 0 && givenUp.length === 0) return null;
  return (
    <section className="flex flex-col gap-4 py-8 border-b border-line" aria-label="Advice on sharing">
      {words.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {words.length > 0 && sharing.mode === 'shared' && (
        <p>
          <span className="text-dim">{costWords(view, memoryBytes)}</span>{' '}
          {second !== undefined && <Choose name={name} mode="shared" label="Share one process" />}{' '}
          <Choose name={name} mode="exclusive" label="Give each client a process" />
        </p>
      )}
      {givenUp.map((lost) => (
        <GivenUp key={`${lost.contextId} ${lost.at}`} {...lost} />
      ))}
    </section>
  );
}

interface ChooseProps {
  readonly name: string;
  readonly mode: 'shared' | 'exclusive';
  readonly label: string;
}

function Choose({ name, mode, label }: ChooseProps) {
  const { status, choose } = useSharingChoice(name);
  return (
    <TextButton isBusy={status?.phase === 'pending'} onClick={() => choose(mode)}>
      {label}
    </TextButton>
  );
}

function GivenUp({ contextId, at, idleMs }: NonNullable<SessionsView['givenUp']>[number]) {
  const holder = useLeaseHolder(contextId);
  const ago = useNow((now) => formatAgo(now - at));
  return (
    <p className="text-dim">
      {ago} the process of {holder} was given to another client, after {formatDuration(idleMs)} without a
      call. Its data in memory is lost; {holder} gets a new one at its next call.
    </p>
  );
}

/** Text such as "It answers one call at a time; 3 clients waited 41 s since 09:12." Undefined for other servers. */
function turnWords({ answersInTurn, waits }: SharingView): string | undefined {
  if (answersInTurn !== true) return undefined;
  const lesson = 'It answers one call at a time';
  if (!waits) return `${lesson}; no client has waited today.`;
  const { clients, totalMs, since } = waits;
  return `${lesson}; ${formatPlural(clients, 'client')} waited ${formatDuration(totalMs)} since ${formatHourMinute(since)}.`;
}

/** Advice for a server that two clients use, while nothing is known for or against sharing it; undefined for other servers. */
function secondClientWords({ secondClient }: SharingView): string | undefined {
  if (!secondClient) return undefined;
  const { first, second, stateTools } = secondClient;
  const met = `${first} and ${second} share this server, and it is unknown whether it keeps state for each user.`;
  if (!stateTools || stateTools.length === 0) return met;
  return `${met} Its tools ${stateTools.join(', ')} suggest that it does.`;
}

/** Cost of one process per client, estimated from the current use. */
function costWords({ sessions }: SessionsView, memoryBytes: number | undefined): string {
  const processes = Math.max(1, new Set(sessions.map(({ instance }) => instance)).size);
  const each =
    memoryBytes === undefined ? 'memory for each' : `about ${formatMemory(memoryBytes / processes)} each`;
  return `A process for each client costs ${each}, and state in memory is not shared between them.`;
}

interface SessionItemProps {
  readonly server: string;
  readonly session: SessionView;
}

/** Session with its process, its users, and the time at which it closes. */
function SessionItem({ server, session }: SessionItemProps) {
  const { instance, mode, pid, generation, openedAt, leases } = session;
  const use = useNow((now) => describeUse(session, now));
  return (
    <li className="py-8 pr-8 pl-12 border border-line rounded-md" aria-label={instance}>
      <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
        <h3 className="overflow-hidden text-13 font-semibold text-ellipsis">{instance}</h3>
        <span className="px-6 border border-strong-line rounded-full text-12/16 text-dim">{mode}</span>
        <span className="flex-1">{use}</span>
        <Evict server={server} session={session} />
      </div>
      <p className="flex flex-wrap gap-x-16 text-dim">
        {pid !== undefined && <span>pid {pid}</span>}
        <span>generation {generation}</span>
        <span data-tip={`since ${formatMoment(openedAt)}`}>
          open for <Elapsed since={openedAt} />
        </span>
        <span>{formatPlural(leases.length, 'user')}</span>
      </p>
      {leases.length > 0 && <Leases session={session} />}
    </li>
  );
}

function Leases({ session }: { readonly session: SessionView }) {
  return (
    <table className={`${styles.table} max-w-640 mt-8`}>
      <thead>
        <tr>
          <th scope="col" className="w-[40%]">
            User
          </th>
          <th scope="col" className="pr-32! text-right">
            Calls in flight
          </th>
          <th scope="col">Last use</th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        {session.leases.map((lease) => (
          <LeaseRow key={lease.contextId} lease={lease} />
        ))}
      </tbody>
    </table>
  );
}

function LeaseRow({ lease }: { readonly lease: SessionView['leases'][number] }) {
  const { contextId, callsInFlight: calls, lastUseAt, since } = lease;
  const holder = useLeaseHolder(contextId);
  return (
    <tr>
      <td data-tip={holder} data-tip-if-cut>
        {holder}
      </td>
      <td className="pr-32! text-right">{formatCount(calls)}</td>
      <td>{lastUseAt === undefined ? MISSING : <Ago at={lastUseAt} />}</td>
      <td>
        <Ago at={since} />
      </td>
    </tr>
  );
}

/** Button that evicts a session. It asks for confirmation only if calls would be lost, and states their number. */
function Evict({ server, session }: SessionItemProps) {
  const { asks, api, sessions } = useServices();
  const { instance, generation } = session;
  const key = `evict ${server} ${generation}`;
  const status = useAsk(key);
  const asksQuestions = usePanel((state) => state.asksQuestions);
  const [isAsked, setAsked] = useState(false);
  const calls = callsInFlightText(session);
  const isQuestion = isAsked && calls > 0;
  const evict = () =>
    void asks.run(key, () => api.evictSession(server, generation)).then(() => sessions.refresh());
  const click = () => {
    if (asksQuestions && calls > 0 && !isAsked) return setAsked(true);
    setAsked(false);
    evict();
  };
  return (
    <span className="flex items-center flex-wrap gap-8">
      {isQuestion && <span role="status">{formatPlural(calls, 'call')} would be lost.</span>}
      <TextButton isBusy={status?.phase === 'pending'} onClick={click}>
        {isQuestion ? `End session of ${instance} anyway` : `End session of ${instance}`}
      </TextButton>
      {isQuestion && <TextButton onClick={() => setAsked(false)}>Keep</TextButton>}
      <FailedNote status={status} server={server} lead="Not ended" />
    </span>
  );
}

const Elapsed = ({ since }: { readonly since: number }) => useNow((now) => formatDuration(now - since));

function Ago({ at }: { readonly at: number }) {
  return <span data-tip={formatMoment(at)}>{useNow((now) => formatAgo(now - at))}</span>;
}

/** Text about the use of a session: "2 calls in flight", "in use", "idle for 20 s, closes in 6 m". */
export function describeUse(session: SessionView, now: number): string {
  const calls = callsInFlightText(session);
  if (calls > 0) return `${formatPlural(calls, 'call')} in flight`;
  const { idleSince, evictsAt } = session;
  if (idleSince === undefined) return session.leases.length === 0 ? 'not in use' : 'in use';
  const idle = `idle for ${formatDuration(now - idleSince)}`;
  return evictsAt === undefined ? idle : `${idle}, closes in ${formatUntil(evictsAt - now)}`;
}

export const callsInFlightText = ({ leases }: SessionView): number =>
  leases.reduce((sum, lease) => sum + lease.callsInFlight, 0);
