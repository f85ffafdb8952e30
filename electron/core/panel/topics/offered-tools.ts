import { createHash } from 'node:crypto';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { offeredToolsCalls } from '../../../../shared/ipc/topics/offered-tools.ts';
import type { ChangedOffer, ChangedToolsView } from '../../../../shared/offered-tools.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { canonicalJson, serverKeys } from '../../config/server-key.ts';
import type { Catalogue } from '../../gateway/catalogue/catalogue.ts';
import type { Fleet } from '../../supervisor/fleet.ts';
import type { PanelBase } from '../panel-base.ts';

/** Requests of the app window about changes of the servers' tool descriptions since the user accepted them. */
export function offeredToolsTopic({ files: { journal } }: PanelBase, fleet: Fleet, catalogue: Catalogue) {
  const keyOf = serverKeys();
  const agreedOf = (config: ServerConfig) => catalogue.agreedOf(keyOf(config));
  /** Returns the changes that any client of the server sees. A change that several groups of clients see is listed once. */
  const changesOf = (config: ServerConfig): readonly ChangedOffer[] => {
    const all = agreedOf(config).flatMap(({ changes }) => changes);
    const names = all.map(({ kind, name }) => `${kind} ${name}`);
    return all.filter((_change, index) => names.indexOf(names[index]!) === index);
  };
  const redact = (text: string) => journal.redactOnce(text);
  const text = (words: string | undefined) => (words === undefined ? undefined : redact(words));
  const calls = {
    /** Returns the changes, and a digest with which the user can accept exactly these changes. @throws SERVER_UNKNOWN */
    changed: (name) => {
      const { config } = fleet.get(name);
      const changes = changesOf(config);
      return {
        digest: digestOf(changes),
        version: agreedOf(config).find(({ changes: own }) => own.length > 0)?.versions ?? {},
        changes: changes.map(({ parts, ...change }) => ({
          ...change,
          name: redact(change.name),
          parts: parts.map(({ field, before, after }) => ({
            field,
            before: text(before),
            after: text(after),
          })),
        })),
      };
    },
    /** Accepts the changes shown. @throws SERVER_UNKNOWN; CONFIG_CONFLICT if the server's description has changed since */
    accept: ({ name, client, digest }) => {
      const { config } = fleet.get(name);
      if (digestOf(changesOf(config)) !== digest)
        throw new PanelError('CONFIG_CONFLICT', `What ${name} says about its tools has changed again.`, {
          remedy: 'Look at what it says now.',
        });
      for (const agreed of agreedOf(config)) agreed.accept(client);
    },
  } satisfies CallAnswers<typeof offeredToolsCalls>;
  return {
    ...calls,
    /** Returns how many changes are held back from clients and how many are shown to them; undefined if nothing has changed. */
    viewOf: (config: ServerConfig): ChangedToolsView | undefined => {
      const changes = changesOf(config);
      if (changes.length === 0) return undefined;
      const held = changes.filter(({ isHeld }) => isHeld).length;
      return { digest: digestOf(changes), held, shown: changes.length - held };
    },
  };
}

const digestOf = (changes: readonly ChangedOffer[]): string =>
  createHash('sha256').update(canonicalJson(changes)).digest('hex');
