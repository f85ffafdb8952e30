import { createHash } from 'node:crypto';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { AcceptedTools, offeredToolsCalls } from '../../../../shared/ipc/topics/offered-tools.ts';
import type { ChangedOffer, ChangedTools, ChangedToolsView } from '../../../../shared/offered-tools.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { canonicalJson, serverKeys } from '../../config/server-key.ts';
import type { Catalogue } from '../../gateway/catalogue/catalogue.ts';
import type { Fleet } from '../../supervisor/fleet.ts';

export interface OfferedToolsTopicOptions {
  readonly catalogue: Pick<Catalogue, 'agreedOf'>;
  readonly fleet: Pick<Fleet, 'get'>;
  readonly redact: (text: string) => string;
}

/** What servers say of their tools, beside what a person accepted. */
export class OfferedToolsTopic implements CallAnswers<typeof offeredToolsCalls> {
  readonly #options: OfferedToolsTopicOptions;
  readonly #keyOf = serverKeys();

  constructor(options: OfferedToolsTopicOptions) {
    this.#options = options;
  }

  /** For the view of a server; undefined while nothing differs. */
  viewOf(config: ServerConfig): ChangedToolsView | undefined {
    const changes = this.#changesOf(config);
    if (changes.length === 0) return undefined;
    const held = changes.filter(({ isHeld }) => isHeld).length;
    return { digest: digestOf(changes), held, shown: changes.length - held };
  }

  /** @throws SERVER_UNKNOWN */
  changed(name: string): ChangedTools {
    const { config } = this.#options.fleet.get(name);
    const changes = this.#changesOf(config);
    const { redact } = this.#options;
    const text = (words: string | undefined) => (words === undefined ? undefined : redact(words));
    return {
      digest: digestOf(changes),
      version: this.#agreedOf(config).find(({ changes: own }) => own.length > 0)?.versions ?? {},
      changes: changes.map(({ parts, ...change }) => ({
        ...change,
        name: redact(change.name),
        parts: parts.map(({ field, before, after }) => ({ field, before: text(before), after: text(after) })),
      })),
    };
  }

  /** @throws SERVER_UNKNOWN; CONFIG_CONFLICT where the server says something else by now */
  accept({ name, client, digest }: AcceptedTools): void {
    const { config } = this.#options.fleet.get(name);
    if (digestOf(this.#changesOf(config)) !== digest)
      throw new PanelError('CONFIG_CONFLICT', `What ${name} says of its tools has changed again.`, {
        remedy: 'Look at what it says now.',
      });
    for (const agreed of this.#agreedOf(config)) agreed.accept(client);
  }

  /** Changes of all classes of clients; what several of them see is one change. */
  #changesOf(config: ServerConfig): readonly ChangedOffer[] {
    const all = this.#agreedOf(config).flatMap(({ changes }) => changes);
    const names = all.map(({ kind, name }) => `${kind} ${name}`);
    return all.filter((_change, index) => names.indexOf(names[index]!) === index);
  }

  #agreedOf(config: ServerConfig) {
    return this.#options.catalogue.agreedOf(this.#keyOf(config));
  }
}

const digestOf = (changes: readonly ChangedOffer[]): string =>
  createHash('sha256').update(canonicalJson(changes)).digest('hex');
