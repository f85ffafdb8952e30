import { NativeSelect } from '@mantine/core';
import { diffWordsWithSpace } from 'diff';
import { useEffect, useMemo, useState } from 'react';
import type { ChangedOffer, ChangedTools } from '../../shared/offered-tools.ts';
import { formatPlural } from '../format/figures.ts';
import { useClients, useServer, useServices, useTask } from '../services.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FailedNote } from '../ui/error-note.tsx';
import { Fact } from './approval-dialog.tsx';

const EVERY_CLIENT = '';

/** Dialog that compares how a server describes its tools now with what the user has accepted. */
export function ChangedToolsDialog({ server }: { readonly server: string }) {
  const { api, manage } = useServices();
  const view = useServer(server)?.changedTools;
  const [client, setClient] = useState(EVERY_CLIENT);
  const changed = useByDigest(server, view?.digest, api.getChangedTools);
  const { status, run } = useTask<void>();
  const isDone = view === undefined;
  useEffect(() => {
    if (isDone) manage.close();
  }, [isDone, manage]);
  if (view === undefined) return null;
  const accept = () =>
    void run(async () => {
      await api.acceptTools({
        name: server,
        digest: view.digest,
        ...(client !== EVERY_CLIENT && { client }),
      });
      manage.close();
    });
  return (
    <Dialog
      title={`What ${server} says about its tools has changed`}
      onClose={() => manage.close()}
      foot={
        <>
          <p>{footWords(view)}</p>
          <ClientChoice client={client} onClient={setClient} />
        </>
      }
      main={{
        no: 'Decide later',
        focus: 'no',
        words: 'Accept',
        isBusy: status?.phase === 'pending',
        run: accept,
      }}
    >
      <FailedNote status={status} server={server} lead="Not accepted" />
      {changed !== undefined && (
        <>
          <p className="mb-12">{versionWords(changed)}</p>
          {changed.changes.map((change) => (
            <Changed key={`${change.kind} ${change.name}`} change={change} />
          ))}
        </>
      )}
    </Dialog>
  );
}

interface ClientChoiceProps {
  /** Id of a client; an empty string means all clients. */
  readonly client: string;
  readonly onClient: (client: string) => void;
}

function ClientChoice({ client, onClient }: ClientChoiceProps) {
  const { clients: store } = useServices();
  const clients = useClients((state) => state.clients) ?? [];
  useEffect(() => store.follow(), [store]);
  return (
    <NativeSelect
      size="xs"
      w={170}
      aria-label="Accept for"
      value={client}
      onChange={(event) => onClient(event.currentTarget.value)}
      data={[
        { value: EVERY_CLIENT, label: 'For all clients' },
        ...clients.map(({ id, name }) => ({ value: id, label: `For ${name}` })),
      ]}
    />
  );
}

/** Text about what clients see until the user accepts the changes. */
const footWords = ({ held }: { readonly held: number }): string =>
  held === 0
    ? 'Clients see it already.'
    : `${formatPlural(held, 'change')} held back: clients see what you accepted, and calls to changed tools are refused.`;

function versionWords({ version }: ChangedTools): string {
  const { before, after } = version;
  if (before !== undefined && after !== undefined && before !== after)
    return `It came with version ${after}, after ${before}.`;
  return after === undefined
    ? 'No version of it is installed here, so it is unknown whether an update brought this.'
    : `The version that is installed is still ${after}. Only the descriptions have changed.`;
}

/** Names that are shown for fields whose own names are unclear. */
const partWords = new Map([
  ['inputSchema', 'arguments'],
  ['outputSchema', 'result'],
  ['annotations', 'hints'],
  ['mimeType', 'kind of content'],
]);

function Changed({ change: { kind, change, name, from, isHeld, parts } }: { readonly change: ChangedOffer }) {
  return (
    <section className="border-line [&+&]:mt-16 [&+&]:pt-16 [&+&]:border-t" aria-label={name}>
      <h3 className="mb-6 text-13 font-semibold">
        {name}
        <span className="ml-8 hint">
          {kind}, {change === 'renamed' ? `was ${from}` : change}
          {isHeld && ' · held back'}
        </span>
      </h3>
      <dl className="mt-8 mb-12 box">
        {parts.map(({ field, before, after }) => (
          <Fact key={field} name={partWords.get(field) ?? field}>
            <WordDifference before={before} after={after} />
          </Fact>
        ))}
      </dl>
    </section>
  );
}

interface WordDifferenceProps {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Maximum milliseconds for computing a difference by words. If that takes longer, both texts are shown in full. */
const MOST_TIME_MS = 200;

/** Shows the two texts merged into one, with removed and added words marked. */
function WordDifference({ before = '', after = '' }: WordDifferenceProps) {
  const parts = useMemo(
    () =>
      diffWordsWithSpace(before, after, { timeout: MOST_TIME_MS }) ?? [
        { value: before, removed: true, added: false },
        { value: after, removed: false, added: true },
      ],
    [before, after],
  );
  return (
    <p className="whitespace-pre-wrap wrap-anywhere text-12/20 select-text">
      {parts.map(({ value, added, removed }, index) =>
        added ? (
          <ins key={index} className="bg-running/18 no-underline">
            {value}
          </ins>
        ) : removed ? (
          <del key={index} className="text-dim">
            {value}
          </del>
        ) : (
          value
        ),
      )}
    </p>
  );
}

/**
 * Returns the details of what the user must decide about a server (its consent or changed tools), identified by `digest`;
 * undefined until they are known. A newer digest replaces them. @param ask requests the details; must keep its identity
 */
export function useByDigest<T extends { readonly digest: string }>(
  server: string,
  digest: string | undefined,
  ask: (server: string) => Promise<T>,
): T | undefined {
  const [found, setFound] = useState<T>();
  useEffect(() => {
    let isWanted = digest !== undefined;
    ask(server).then(
      (details) => isWanted && setFound(details),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [ask, server, digest]);
  return found?.digest === digest ? found : undefined;
}
