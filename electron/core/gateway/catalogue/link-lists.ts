import { offerLists, type OfferList } from '../../../../shared/domain.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { OfferBudget, readListPages } from '../../sessions/offer/list-pages.ts';
import type { ServerLink } from '../../sessions/server-link.ts';
import { ownValue } from '../../../../shared/own-value.ts';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../config/server-key.ts';
import { ownBuffer, type KeptList } from './catalogue-file.ts';

/** The part of a running server's connection that its catalogue needs. */
export type CatalogueLink = Pick<
  ServerLink,
  'closed' | 'greeting' | 'hasEnded' | 'onNotification' | 'requestRaw'
>;

interface LinkListsOptions {
  readonly clock: Clock;
  readonly link: CatalogueLink;
  /** Called after each reading of a list, with undefined when it failed. `isTold` is true when the server reported a change of it. */
  readonly onRead: (list: OfferList, kept: KeptList | undefined, isTold: boolean) => void;
  /** Called when all lists are read, so that they can be written to disk. */
  readonly onSettled: () => void;
}

/** Milliseconds to wait after a change notification, so that several notifications cause only one read of each list. */
const DEBOUNCE_MS = 250;

/** Lists affected by each notification. */
const changedLists: Readonly<Record<string, readonly OfferList[]>> = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/prompts/list_changed': ['prompts'],
  'notifications/resources/list_changed': ['resources', 'resourceTemplates'],
};

/** Follows the lists of one server over one connection: reads them one after the other, and again after each reported change. */
export class LinkLists {
  readonly #options: LinkListsOptions;
  /** Lists to be read; the value is true when the server reported a change. */
  readonly #due = new Map<OfferList, boolean>();
  readonly #fresh = new Set<OfferList>();
  readonly #unlisten: () => void;
  #timer: Disposable | undefined;
  #isReading = false;
  #isDisposed = false;

  constructor(options: LinkListsOptions) {
    this.#options = options;
    this.#unlisten = options.link.onNotification(({ method }) => this.#told(method));
    for (const list of offerLists) if (this.declares(list)) this.#due.set(list, false);
    void this.#readDue();
  }

  declares(list: OfferList): boolean {
    const { tools, prompts, resources } = this.#options.link.greeting.capabilities;
    const capability = { tools, prompts, resources, resourceTemplates: resources }[list];
    return capability !== undefined;
  }

  /** True when the list was read after the last reported change. */
  isFresh(list: OfferList): boolean {
    return !this.#isOver && this.#fresh.has(list);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#unlisten();
  }

  #told(method: string): void {
    const changed = ownValue(changedLists, method) ?? [];
    for (const list of changed.filter((name) => this.declares(name))) {
      this.#fresh.delete(list);
      this.#due.set(list, true);
    }
    this.#readSoon();
  }

  #readSoon(): void {
    if (this.#due.size === 0 || this.#timer || this.#isReading || this.#isOver) return;
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#timer = undefined;
      void this.#readDue();
    }, DEBOUNCE_MS);
  }

  async #readDue(): Promise<void> {
    this.#isReading = true;
    for (const [list, isTold] of [...this.#due]) {
      this.#due.delete(list);
      await this.#read(list, isTold);
      if (this.#isOver) break;
    }
    this.#isReading = false;
    if (this.#isOver) return;
    if (this.#due.size === 0) this.#options.onSettled();
    else this.#readSoon();
  }

  async #read(list: OfferList, isTold: boolean): Promise<void> {
    const { link, onRead } = this.#options;
    const kept = await readJoinedList(link, list, new OfferBudget());
    if (this.#isOver) return;
    // If the server has reported another change while the list was read, the result may not contain that change, so the list
    // does not count as fresh.
    if (kept && !this.#due.has(list)) this.#fresh.add(list);
    onRead(list, kept, isTold);
  }

  get #isOver(): boolean {
    return this.#isDisposed || this.#options.link.hasEnded;
  }
}

/**
 * Reads a list over the connection, one page after another. Returns undefined if that fails, or if the server does not have the
 * list.
 * @param budget limits for the total characters and JSON values of the list
 */
async function readJoinedList(
  link: Pick<ServerLink, 'requestRaw'>,
  list: OfferList,
  budget: OfferBudget,
): Promise<KeptList | undefined> {
  const texts: Buffer[] = [];
  const hash = createHash('sha256');
  const { error, isMissing, isWhole } = await readListPages(link, list, budget, (item) => {
    texts.push(Buffer.from(JSON.stringify(item)));
    hash.update(createHash('sha256').update(canonicalJson(item)).digest('hex'));
  });
  if (error !== undefined || isMissing === true) return undefined;
  const comma = Buffer.from(',');
  const parts = texts.flatMap((text, index) => (index === 0 ? [text] : [comma, text]));
  return {
    result: ownBuffer(Buffer.concat([Buffer.from(`{"${list}":[`), ...parts, Buffer.from(']}')])),
    count: texts.length,
    isWhole,
    hash: hash.update(`${isWhole}`).digest('hex'),
  };
}
