import { offerLists, type OfferList } from '../../../../shared/domain.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { OfferBudget } from '../../sessions/offer-budget.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';
import { readJoinedList, type KeptList } from './joined-list.ts';
import { ownValue } from '../../../../shared/own-value.ts';

export interface LinkListsOptions {
  readonly clock: Clock;
  readonly link: UpstreamLink;
  /** A list was read; undefined where that failed. `isTold` says that the server told of a change of it. */
  readonly onRead: (list: OfferList, kept: KeptList | undefined, isTold: boolean) => void;
  /** Nothing is due any more: what was read may be written down. */
  readonly onSettled: () => void;
}

/** What a server tells within this time of each other is one reading of its lists. */
const DEBOUNCE_MS = 250;

/** Lists that each notification is about. */
const changedLists: Readonly<Record<string, readonly OfferList[]>> = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/prompts/list_changed': ['prompts'],
  'notifications/resources/list_changed': ['resources', 'resourceTemplates'],
};

/** Keeps up with the lists of one server over one link: reads them one after the other, and again when it says so. */
export class LinkLists {
  readonly #options: LinkListsOptions;
  /** Lists to be read, with whether the server told of a change. */
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

  /** Whether what was read last is what the server has, as far as it says. */
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
    // A change that was told meanwhile may be in what came, or not.
    if (kept && !this.#due.has(list)) this.#fresh.add(list);
    onRead(list, kept, isTold);
  }

  get #isOver(): boolean {
    return this.#isDisposed || this.#options.link.hasEnded;
  }
}
