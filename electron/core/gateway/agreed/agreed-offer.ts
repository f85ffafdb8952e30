import type { OfferList } from '../../../../shared/domain.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import { isJsonObject, type JsonObject } from '../../../../shared/json-object.ts';
import type { ChangedOffer } from '../../../../shared/offered-tools.ts';
import type { InitializeResponse } from '../../mcp/handshake.ts';
import { SerialQueue } from '../../serial-queue.ts';
import { itemOf, itemsIn, type OfferedItem } from '../../sessions/offer/offer-items.ts';
import { nothingAgreed, readAgreed, writeAgreed, type AgreedContent } from './agreed-file.ts';
import { additionOf, changeOf, compareItems, instructionsChange, lengthChange } from './changes.ts';

/**
 * Protects clients from a server that secretly changes the descriptions of its tools. Compares what the server sends with what
 * the user accepted: the first list (of one definition and one class of client capabilities) and all later accepted changes. If
 * a text changes while the installed package version stays the same, clients continue to see the accepted text until the user
 * accepts the new one. If the version has changed, clients see the new text.
 */
export class AgreedOffer {
  readonly #path: string;
  readonly #onChanged: () => void;
  readonly #notice: (line: string) => void;
  readonly #writes = new SerialQueue();
  /** Lists that the server sends now. */
  readonly #current = new Map<OfferList, ReadonlyMap<string, OfferedItem>>();
  #currentInstructions: string | null | undefined;
  #agreed: AgreedContent = nothingAgreed();
  #loading: Promise<void> | undefined;
  /** Lists that have become too long to be compared. Instead of such a list, clients see the accepted one. */
  readonly #tooLong = new Set<OfferList>();
  /**
   * Changes of the server's lists and instructions for the user to look at: first those that are held back, that is, not shown
   * to clients until the user accepts them, then those that clients already see.
   */
  #changes: readonly ChangedOffer[] = [];
  /** Lists that were not read yet since the package was updated. The next read of such a list is accepted automatically. */
  readonly #updated = new Set<OfferList | 'instructions'>();

  /** @param onChanged called when `changes` may have changed */
  constructor(path: string, onChanged: () => void, notice: (line: string) => void) {
    this.#path = path;
    this.#onChanged = onChanged;
    this.#notice = notice;
  }

  /** Never rejects. */
  load(): Promise<void> {
    return (this.#loading ??= readAgreed(this.#path).then((agreed) => {
      this.#agreed = agreed;
      this.#judge();
    }));
  }

  /** Records the version of the installed package, before the lists of a run are read. */
  runs(installed: string | undefined): void {
    const { installed: before } = this.#agreed;
    if (installed === undefined || installed === before) return;
    this.#agreed.installed = installed;
    if (before === undefined) return;
    this.#agreed.former = before;
    for (const list of [...this.#agreed.lists.keys(), 'instructions' as const]) this.#updated.add(list);
  }

  /**
   * Compares a whole list that the server sent with the accepted one. New items, and after an update of the package also
   * changed ones, are accepted automatically. Returns the list as clients see it.
   */
  take(list: OfferList, result: unknown): unknown {
    const now = itemsIn(list, result);
    this.#current.set(list, now);
    this.#tooLong.delete(list);
    const before = this.#agreed.lists.get(list);
    if (!before) {
      this.#agreed.lists.set(list, new Map(now));
      this.#save();
      return result;
    }
    const { changed, added } = compareItems(before, now);
    const isUpdate = this.#updated.delete(list);
    const shown = [
      ...(isUpdate ? changed.map((item) => changeOf(list, before.get(item.id)!, item, false)) : []),
      ...added.map((item) => additionOf(list, item, before, now)),
    ];
    this.#show(shown);
    for (const item of isUpdate ? [...changed, ...added] : added) before.set(item.id, item);
    if (shown.length > 0 || isUpdate) this.#save();
    this.#judge();
    return this.seen(list, result);
  }

  /** Compares the instructions that the server sent on a new connection with the accepted ones. */
  takeInstructions(text: string | undefined): void {
    const now = text ?? null;
    const before = this.#agreed.instructions;
    this.#currentInstructions = now;
    const isUpdate = this.#updated.delete('instructions');
    if (before !== now && (before === undefined || isUpdate)) {
      if (before !== undefined) this.#show([instructionsChange(before, now, false)]);
      this.#agreed.instructions = now;
      this.#save();
    }
    this.#judge();
  }

  /** Returns the instructions as a client sees them. */
  instructions(text: string | undefined, client?: string): string | undefined {
    const { instructions } = this.#agreed;
    if (instructions === undefined || instructions === (text ?? null)) return text;
    return this.#accepted(client, markOf('instructions', '', text ?? ''))
      ? text
      : (instructions ?? undefined);
  }

  /**
   * Returns a list, or a page of one, as a client sees it: items that are held back have their accepted text. Returns the same
   * object if nothing is held back.
   */
  seen(list: OfferList, result: unknown, client?: string): unknown {
    const items = isJsonObject(result) ? result[list] : undefined;
    const agreed = this.#agreed.lists.get(list);
    if (!agreed || !isJsonObject(result) || !Array.isArray(items)) return result;
    let isHeld = false;
    const seen = items.map((value: unknown) => {
      const item = itemOf(list, value);
      const held = item && this.#heldOf(list, item, client);
      isHeld ||= held !== undefined;
      return held?.value ?? value;
    });
    return isHeld ? { ...result, [list]: seen } : result;
  }

  /** Call it for a list too long to compare. Returns the accepted list, which clients see instead; undefined if there is none. */
  whole(list: OfferList): JsonObject | undefined {
    const agreed = this.#agreed.lists.get(list);
    if (agreed && !this.#tooLong.has(list)) {
      this.#tooLong.add(list);
      this.#judge();
    }
    return agreed && { [list]: [...agreed.values()].map(({ value }) => value) };
  }

  /** @throws PanelError TOOL_CHANGED if the item is held back from this client */
  check(list: OfferList, id: string, client: string): void {
    if (!this.isHeld(list, id, client)) return;
    throw new PanelError(
      'TOOL_CHANGED',
      `"${id}" is not what was accepted: its server describes it differently now.`,
      {
        remedy: 'Look at what has changed in MCP Control Panel, and accept it there.',
      },
    );
  }

  isHeld(list: OfferList, id: string, client: string): boolean {
    const item = this.#current.get(list)?.get(id);
    return item !== undefined && this.#heldOf(list, item, client) !== undefined;
  }

  get versions(): { before?: string; after?: string } {
    const { former, installed } = this.#agreed;
    return {
      ...(former !== undefined && { before: former }),
      ...(installed !== undefined && { after: installed }),
    };
  }

  /**
   * Changes of the server's lists and instructions for the user to look at: first those that are held back from clients, then
   * those that clients already see.
   */
  get changes(): readonly ChangedOffer[] {
    return this.#changes;
  }

  /** Accepts everything that the server sends now, for one client or for all. */
  accept(client: string | undefined): void {
    // A list that cannot be compared can only be accepted as a whole and for all clients. After that, nothing of it is held
    // back.
    for (const list of this.#tooLong) this.#agreed.lists.delete(list);
    this.#tooLong.clear();
    const marks = client === undefined ? undefined : (this.#agreed.clients.get(client) ?? new Set<string>());
    for (const [list, now] of this.#current) {
      const before = this.#agreed.lists.get(list);
      for (const item of before ? compareItems(before, now).changed : [])
        if (marks) marks.add(markOf(list, item.id, item.hash));
        else before?.set(item.id, item);
    }
    if (client !== undefined && marks) {
      marks.add(markOf('instructions', '', this.#currentInstructions ?? ''));
      this.#agreed.clients.set(client, marks);
    } else {
      this.#agreed.instructions = this.#currentInstructions ?? this.#agreed.instructions;
      this.#agreed.shown = [];
      this.#agreed.clients.clear();
    }
    this.#save();
    this.#judge();
  }

  /** Resolves when everything is on disk. */
  settled(): Promise<void> {
    return this.#writes.run(() => Promise.resolve());
  }

  #show(changes: readonly ChangedOffer[]): void {
    const names = new Set(changes.map(({ kind, name }) => `${kind} ${name}`));
    const others = this.#agreed.shown.filter(({ kind, name }) => !names.has(`${kind} ${name}`));
    if (changes.length > 0) this.#agreed.shown = [...others, ...changes];
  }

  /** Returns the accepted item that the client sees instead of `item`; undefined if it sees `item` itself. */
  #heldOf(list: OfferList, item: OfferedItem, client: string | undefined): OfferedItem | undefined {
    // After an update of the package, the new text is not held back while the panel has not read the list yet.
    if (this.#updated.has(list)) return undefined;
    const agreed = this.#agreed.lists.get(list)?.get(item.id);
    if (!agreed || agreed.hash === item.hash) return undefined;
    return this.#accepted(client, markOf(list, item.id, item.hash)) ? undefined : agreed;
  }

  #accepted(client: string | undefined, mark: string): boolean {
    return client !== undefined && this.#agreed.clients.get(client)?.has(mark) === true;
  }

  /** Recomputes the changes, and reports them. */
  #judge(): void {
    const had = this.#changes.length > 0;
    this.#changes = this.#find();
    if (had || this.#changes.length > 0) this.#onChanged();
  }

  #find(): readonly ChangedOffer[] {
    const held = [...this.#current].flatMap(([list, now]) => {
      const before = this.#agreed.lists.get(list) ?? new Map<string, OfferedItem>();
      return compareItems(before, now).changed.map((item) =>
        changeOf(list, before.get(item.id)!, item, true),
      );
    });
    const { instructions, shown } = this.#agreed;
    const now = this.#currentInstructions;
    const isHeld = instructions !== undefined && now !== undefined && instructions !== now;
    return [
      ...held,
      ...[...this.#tooLong].map(lengthChange),
      ...(isHeld ? [instructionsChange(instructions, now, true)] : []),
      ...shown,
    ];
  }

  #save(): void {
    void this.#writes.run(() =>
      writeAgreed(this.#path, this.#agreed).catch(() =>
        this.#notice(`${this.#path} was not written: what was accepted is kept only until the panel quits`),
      ),
    );
  }
}

const markOf = (list: OfferList | 'instructions', id: string, hash: string): string =>
  JSON.stringify([list, id, hash]);

/** Returns the initialize result with the instructions that the client sees. */
export function seenGreeting(
  agreed: AgreedOffer | undefined,
  greeting: InitializeResponse,
  client?: string,
): InitializeResponse {
  const seen = agreed ? agreed.instructions(greeting.instructions, client) : greeting.instructions;
  if (seen === greeting.instructions) return greeting;
  const others = Object.entries(greeting).filter(([field]) => field !== 'instructions');
  return {
    ...(Object.fromEntries(others) as InitializeResponse),
    ...(seen !== undefined && { instructions: seen }),
  };
}
