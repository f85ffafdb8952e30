import { useEffect } from 'react';
import type { ClientUse, ClientView } from '../../shared/gateway.ts';
import { readsMetricsOnly } from '../../shared/gateway-use.ts';
import {
  failedWords,
  presenceWords,
  programsOf,
  scopeWords,
  sessionWords,
  isConnected,
} from '../format/client-words.ts';
import { formatAgo } from '../format/durations.ts';
import { formatMoment } from '../format/moments.ts';
import { useClients, useNow, useServices } from '../services.ts';
import { hrefOf } from '../store/route-store.ts';
import { Icon } from '../ui/icon.tsx';
import { Page } from '../ui/page.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { askOfClient } from './client-question.tsx';
import { EndpointLink } from './endpoint-link.tsx';
import { ClientToolsSection } from './client-tools.tsx';
import { useDayOfCalls, useHourOfCalls } from './client-calls.ts';
import { TokenControls } from './client-table.tsx';

/** Page of one client: what it does, what it may use, and which tools it sees. */
export function ClientPage({ id }: { readonly id: string }) {
  const { clients: store } = useServices();
  useEffect(() => store.follow(), [store]);
  const clients = useClients((state) => state.clients);
  const client = clients?.find((one) => one.id === id);
  const back = (
    <a
      className="flex justify-center items-center w-28 h-28 text-dim"
      href={hrefOf({ view: 'clients' })}
      aria-label="Back to all clients"
    >
      <Icon name="back" size={16} />
    </a>
  );
  if (clients === undefined) return null;
  if (!client)
    return (
      <Page title="Client" lead={back}>
        <p className="text-faint">This client no longer exists: its access was revoked.</p>
      </Page>
    );
  return (
    <Page
      title={client.name}
      lead={back}
      note={
        <span className="inline-flex items-center gap-8">
          <StateShape kind={isConnected(client) ? 'running' : 'stopped'} />
          {[presenceWords(client), programsOf(client)].filter((words) => words !== '').join(' · ')}
        </span>
      }
      tools={<TokenControls client={client} />}
    >
      {/* The width of the content is limited because very long lines are hard to read. The view and its scrollbar use the full
          width. */}
      <div className="flex-1 min-h-0 overflow-auto *:max-w-1440">
        <Facts client={client} />
        {client.sessions.length > 0 && (
          <ul className="px-16 pb-8 wrap-anywhere" aria-label={`Sessions of ${client.name}`}>
            {client.sessions.map((use) => (
              <Use key={use.server} use={use} />
            ))}
          </ul>
        )}
        {!readsMetricsOnly(client) && <ClientToolsSection client={client} />}
      </div>
    </Page>
  );
}

function Facts({ client }: { readonly client: ClientView }) {
  const services = useServices();
  const { createdAt, lastSeenAt, id } = client;
  const day = useDayOfCalls(client);
  const hour = useHourOfCalls(client);
  const hourCalls = hour.perMinute.reduce((sum, count) => sum + count, 0);
  const usesServers = !readsMetricsOnly(client);
  const facts: readonly (readonly [string, string])[] = [
    ...(usesServers
      ? ([
          ['Last hour', failedWords(hourCalls, hour.errors)],
          ['Last 24 hours', failedWords(day.calls, day.errors)],
        ] as const)
      : []),
    ['Last seen', lastSeenAt === undefined ? 'never' : formatMoment(lastSeenAt)],
    ['Created', createdAt === 0 ? 'not known' : formatMoment(createdAt)],
  ];
  return (
    <dl className="flex flex-wrap gap-x-32 gap-y-8 py-12 px-16">
      <div>
        <dt className="text-12 text-dim">Servers</dt>
        <dd className="select-text">
          {scopeWords(client)}{' '}
          {usesServers && (
            <TextButton look="link" onClick={() => askOfClient(services, 'change-client', id)}>
              Change…
            </TextButton>
          )}
        </dd>
      </div>
      {facts.map(([term, words]) => (
        <div key={term}>
          <dt className="text-12 text-dim">{term}</dt>
          <dd className="select-text">{words}</dd>
        </div>
      ))}
    </dl>
  );
}

function Use({ use }: { readonly use: ClientUse }) {
  const ago = useNow((now) => formatAgo(now - use.lastSeenAt));
  return (
    <li>
      <EndpointLink server={use.server} />
      {`: ${sessionWords(use)}, last seen ${ago}`}
    </li>
  );
}
