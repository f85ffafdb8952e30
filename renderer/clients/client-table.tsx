import { Fragment, memo } from 'react';
import type { ClientView } from '../../shared/gateway.ts';
import { readsMetricsOnly } from '../../shared/gateway-use.ts';
import { formatAgo } from '../format/durations.ts';
import { failsOften, formatCount, formatPlural } from '../format/figures.ts';
import { formatMoment } from '../format/moments.ts';
import { useAsk, useNow, useServices } from '../services.ts';
import { useDayOfCalls, useHourOfCalls } from './client-calls.ts';
import { EndpointLink } from './endpoint-link.tsx';
import { hrefOf } from '../store/route-store.ts';
import { FailedRow } from '../ui/error-note.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { askOfClient, revokeKey } from './client-question.tsx';
import {
  isConnected,
  minuteWords,
  presenceWords,
  programsOf,
  refusedWords,
  scopeWords,
} from '../format/client-words.ts';
import { Unseen } from '../ui/page.tsx';
import styles from './clients.module.css';
import { curvePaths } from '../charts/curve-path.ts';

/** Table of all clients with a token, in the order of their creation, so that no row moves when a client connects. */
export function ClientTable({ clients }: { readonly clients: readonly ClientView[] }) {
  return (
    <table className={styles.table} aria-label="Clients">
      <thead>
        <tr>
          <th scope="col">Client</th>
          <th scope="col">In use</th>
          <th scope="col" className="text-right" data-tip="Calls that ended in the last 24 hours">
            Calls 24 h
          </th>
          <th
            scope="col"
            className="text-right"
            data-tip="Calls of the last 24 hours that failed, or whose answer was lost"
          >
            Errors 24 h
          </th>
          <th scope="col">Last hour</th>
          <th scope="col">Last seen</th>
          <th scope="col">
            <Unseen>Token</Unseen>
          </th>
        </tr>
      </thead>
      <tbody>
        {clients.map((client) => (
          <Fragment key={client.id}>
            <ClientRow client={client} />
            <RevokeTrouble client={client} />
            <Refused client={client} />
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function ClientRow({ client }: { readonly client: ClientView }) {
  const { name } = client;
  const { calls, errors } = useDayOfCalls(client);
  const { perMinute } = useHourOfCalls(client);
  const programs = programsOf(client);
  const scope = scopeWords(client);
  return (
    <tr aria-label={name}>
      <td>
        <a
          className="group flex items-center gap-8 max-w-full min-h-24 -my-2 font-semibold"
          href={hrefOf({ view: 'clients', client: client.id })}
        >
          <StateShape kind={isConnected(client) ? 'running' : 'stopped'} />
          <span className="truncate group-hover:link" data-tip={name} data-tip-if-cut>
            {name}
          </span>
        </a>
        <span
          className="block pl-(--indent) truncate text-12 text-dim"
          data-tip={`${scope}\nmade ${formatMoment(client.createdAt)}`}
        >
          <span>{presenceWords(client)}</span>
          {programs !== '' && ` · ${programs}`}
        </span>
      </td>
      <td>
        <Uses client={client} />
        <Scope client={client} />
      </td>
      <td className="text-right">{formatCount(calls)}</td>
      <td className={failsOften({ calls, errors }) ? 'text-right text-failed' : 'text-right'}>
        {formatCount(errors)}
      </td>
      <td data-tip={minuteWords(perMinute)}>
        <MinuteCurve counts={perMinute} />
        <Unseen>{minuteWords(perMinute)}</Unseen>
      </td>
      <td>
        <LastSeen at={client.lastSeenAt} />
      </td>
      <td>
        <TokenControls client={client} />
      </td>
    </tr>
  );
}

/** Shows what a client may use, with the button that changes it. */
function Scope({ client }: { readonly client: ClientView }) {
  const services = useServices();
  const scope = scopeWords(client);
  return (
    <span className="flex flex-wrap gap-x-6 text-12 text-dim">
      <span className="min-w-0 truncate" data-tip={scope} data-tip-if-cut>
        {scope}
      </span>
      {!readsMetricsOnly(client) && (
        <TextButton
          look="link"
          aria-label={`Change what ${client.name} may use`}
          onClick={() => askOfClient(services, 'change-client', client.id)}
        >
          Change…
        </TextButton>
      )}
    </span>
  );
}

/** Note on a client whose program still uses an invalid token. */
function Refused({ client }: { readonly client: ClientView }) {
  const words = refusedWords(client);
  if (words === undefined) return null;
  return (
    <tr>
      <td colSpan={7} role="status">
        {words}
      </td>
    </tr>
  );
}

/** Error of a failed revocation. The token is still valid in this case. */
const RevokeTrouble = ({ client: { id, name } }: { readonly client: ClientView }) => (
  <FailedRow status={useAsk(revokeKey(id))} columns={7} server={name} lead="Not revoked" />
);

function Uses({ client: { sessions } }: { readonly client: ClientView }) {
  if (sessions.length === 0) return <span className="text-faint">none</span>;
  return (
    <span className="flex flex-wrap gap-x-8 gap-y-2 wrap-anywhere">
      {sessions.map(({ server, count, inFlight }) => (
        <EndpointLink
          key={server}
          server={server}
          tip={`${formatPlural(count, 'session')}, ${formatPlural(inFlight, 'call')} in flight`}
        >
          {inFlight > 0 && (
            <span className="min-w-16 px-4 rounded-full bg-line text-12/16 text-center">
              {formatCount(inFlight)}
            </span>
          )}
        </EndpointLink>
      ))}
    </span>
  );
}

function LastSeen({ at }: { readonly at: number | undefined }) {
  const words = useNow((now) => (at === undefined ? 'never' : formatAgo(now - at)));
  return <span data-tip={at === undefined ? 'It has never connected' : formatMoment(at)}>{words}</span>;
}

/** Buttons for the token of a client. */
export function TokenControls({ client: { id, name } }: { readonly client: ClientView }) {
  const services = useServices();
  const status = useAsk(revokeKey(id));
  return (
    <span className="flex flex-wrap justify-end gap-6">
      <TextButton
        aria-label={`New token for ${name}`}
        data-tip="A new token in place of this one, with the snippet for its program"
        onClick={() => askOfClient(services, 'renew-client', id)}
      >
        New token…
      </TextButton>
      <TextButton
        aria-label={`Revoke access of ${name}`}
        data-tip="It can no longer connect"
        isBusy={status?.phase === 'pending'}
        onClick={() => askOfClient(services, 'revoke-client', id)}
      >
        Revoke access…
      </TextButton>
    </span>
  );
}

const FRAME = { width: 90, height: 18 };
/** Minimum value at the top of the curve, so that a few calls do not fill the whole height. */
const LEAST_TOP = 4;

/** Small chart of a client's calls per minute in the last hour. The tooltip is on its parent element. */
export const MinuteCurve = memo(function MinuteCurve({ counts }: { readonly counts: readonly number[] }) {
  return (
    <svg
      className="block w-90 h-18 text-(--no-colour)"
      viewBox={`0 0 ${FRAME.width} ${FRAME.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className="fill-none stroke-line" d={`M0 ${FRAME.height - 0.5}H${FRAME.width}`} />
      {counts.some((count) => count > 0) && <path className="fill-current" d={barsOf(counts)} />}
    </svg>
  );
});

/** Returns the path of a bar for each minute, oldest first. Bars are used because there is no count between two minutes. */
function barsOf(counts: readonly number[]): string {
  const top = Math.max(LEAST_TOP, ...counts);
  const rows = [...counts, counts.at(-1) ?? 0].map((count, at) => ({
    ...{ at, average: count, least: count, most: count },
  }));
  return curvePaths({ rows, isBanded: false }, 'blocks', {
    xOf: (at) => (at * FRAME.width) / counts.length,
    yOf: (count) => FRAME.height - (count / top) * (FRAME.height - 1),
    baseY: FRAME.height,
  }).area;
}
