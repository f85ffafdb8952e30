import type { Approval } from '../../../shared/approvals.ts';
import { isDeepStrictEqual } from 'node:util';
import type { ConfigStatus, PanelEvent, Push, ServerFigures, ServerView } from '../../../shared/domain.ts';
import type { Clock, Disposable } from '../clock.ts';
import { Emitter } from '../emitter.ts';

interface PushHubOptions {
  readonly clock: Clock;
  /** View of the server; undefined after its removal. */
  readonly view: (name: string) => ServerView | undefined;
  readonly config: () => ConfigStatus;
  /** Calls that wait for the user's approval. */
  readonly approvals: () => readonly Approval[];
}

/**
 * Milliseconds for which changes are collected before a push. Short enough that the response to a click arrives well within 100
 * ms.
 */
const COALESCE_MS = 30;

/** Maximum ms that marks wait for the tick of the samples. The tick comes every second, but only while a process is sampled. */
const TICK_LIMIT_MS = 1250;

/**
 * Collects changes and sends them as one push:
 * - a change (of a state, of the configuration, an event) is sent a moment later, with the whole views of the servers that
 * changed;
 * - a mark (a sample, a call that began or ended) is sent with the next tick, so that there is one push per tick however many
 * calls are made. If only the figures of a server changed, only the figures are sent. A hidden app window gets no push. When it
 * is shown again, one sequence number is skipped, so that the window requests a snapshot instead of replaying the missed
 * changes.
 */
export class PushHub {
  readonly pushed = new Emitter<Push>();
  readonly #options: PushHubOptions;
  /** Last sent view of each server. Kept because a whole view is sent only when it has changed. */
  readonly #told = new Map<string, ServerView>();
  readonly #changed = new Set<string>();
  readonly #marked = new Set<string>();
  readonly #removed = new Set<string>();
  #events: PanelEvent[] = [];
  #isConfigChanged = false;
  #areApprovalsChanged = false;
  #sequence = 0;
  #isOpen = true;
  #soon: Disposable | undefined;
  #tickLimit: Disposable | undefined;
  #lastTickMs = -Infinity;

  constructor(options: PushHubOptions) {
    this.#options = options;
  }

  /**
   * Sequence number of the last push. Changes that are being collected are part of the next push, and of a snapshot taken now.
   */
  get sequence(): number {
    return this.#sequence;
  }

  /** Schedules a push of the server's whole view, because more than its figures may have changed. */
  serverChanged(name: string): void {
    this.#removed.delete(name);
    this.#changed.add(name);
    this.#sendSoon();
  }

  /** Marks changes that can wait for the tick: figures, calls, users. */
  serverMarked(name: string): void {
    if (!this.#isOpen) return;
    this.#marked.add(name);
    this.#tickLimit ??= this.#tickWithinLimit();
  }

  serverRemoved(name: string): void {
    this.#changed.delete(name);
    this.#marked.delete(name);
    this.#told.delete(name);
    this.#removed.add(name);
    this.#sendSoon();
  }

  eventAppended(event: PanelEvent): void {
    this.#events.push(event);
    this.#sendSoon();
  }

  configChanged(): void {
    this.#isConfigChanged = true;
    this.#sendSoon();
  }

  approvalsChanged(): void {
    this.#areApprovalsChanged = true;
    this.#sendSoon();
  }

  setOpen(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    if (isOpen) {
      this.#sequence += 1;
      this.#sendSoon();
    } else this.#drop();
  }

  /** Sends the marks and all changes. Called after all servers were sampled. */
  tick(): void {
    this.#lastTickMs = this.#options.clock.now();
    this.flush();
  }

  /** Sends everything collected, including marks. */
  flush(): void {
    for (const name of this.#marked) this.#changed.add(name);
    this.#marked.clear();
    this.#tickLimit?.dispose();
    this.#tickLimit = undefined;
    this.#send('with figures');
  }

  dispose(): void {
    this.#drop();
    this.#isOpen = false;
  }

  #tickWithinLimit(): Disposable {
    const { clock } = this.#options;
    const waitMs = Math.max(COALESCE_MS, this.#lastTickMs + TICK_LIMIT_MS - clock.now());
    return clock.setTimeout(() => this.tick(), waitMs);
  }

  #sendSoon(): void {
    if (!this.#isOpen) return this.#drop();
    this.#soon ??= this.#options.clock.setTimeout(() => this.#send('changes alone'), COALESCE_MS);
  }

  #send(what: 'changes alone' | 'with figures'): void {
    this.#soon?.dispose();
    this.#soon = undefined;
    const push = this.#collect(this.#takeViews(what));
    if (push) this.pushed.emit(push);
  }

  /** Takes the views of the servers that changed. Servers of which only figures changed stay marked until they are sent. */
  #takeViews(what: 'changes alone' | 'with figures'): Pick<Push, 'servers' | 'samples'> {
    const changed = [...this.#changed].flatMap((name) => this.#options.view(name) ?? []);
    this.#changed.clear();
    const news = changed.map((view) => newsOf(view, this.#told.get(view.name)));
    const whole = changed.filter((_, place) => news[place] === 'whole');
    const figures = changed.filter((_, place) => news[place] === 'figures');
    const isLater = what === 'changes alone';
    if (isLater) for (const { name } of figures) this.serverMarked(name);
    const sent = isLater ? whole : changed;
    for (const view of sent) this.#told.set(view.name, view);
    return {
      ...(whole.length > 0 && { servers: whole }),
      ...(figures.length > 0 && !isLater && { samples: figures.map(figureUpdate) }),
    };
  }

  #collect(views: Pick<Push, 'servers' | 'samples'>): Push | undefined {
    const removed = [...this.#removed];
    const events = this.#events;
    const isConfigChanged = this.#isConfigChanged;
    const areApprovalsChanged = this.#areApprovalsChanged;
    this.#removed.clear();
    this.#events = [];
    this.#isConfigChanged = this.#areApprovalsChanged = false;
    const content = {
      ...views,
      ...(removed.length > 0 && { removed }),
      ...(events.length > 0 && { events }),
      ...(isConfigChanged && { config: this.#options.config() }),
      ...(areApprovalsChanged && { approvals: [...this.#options.approvals()] }),
    };
    if (Object.keys(content).length === 0) return undefined;
    this.#sequence += 1;
    return { sequence: this.#sequence, ...content };
  }

  /** Drops all collected changes when there is no listener, because a new listener starts from a snapshot. */
  #drop(): void {
    this.#soon?.dispose();
    this.#tickLimit?.dispose();
    this.#soon = this.#tickLimit = undefined;
    this.#changed.clear();
    this.#marked.clear();
    this.#removed.clear();
    this.#told.clear();
    this.#events = [];
    this.#isConfigChanged = this.#areApprovalsChanged = false;
  }
}

/** Tolerance in ms for `unansweredSince`. Its value is computed from two clocks for each view, so it varies by milliseconds. */
const OWED_TOLERANCE_MS = 1000;

/** Difference between a view and the last sent one: none, only figures, or more. */
type News = 'none' | 'figures' | 'whole';

function newsOf(view: ServerView, told: ServerView | undefined): News {
  if (told === undefined) return 'whole';
  let news: News = 'none';
  const isNews = (field: Field) => !isSame(field, told[field], view[field]);
  for (const fields of [fieldsIn(view), fieldsIn(told).filter((field) => !(field in view))])
    for (const field of fields) {
      if (!isNews(field)) continue;
      if (!FIGURES.has(field)) return 'whole';
      news = 'figures';
    }
  return news;
}

type Field = keyof ServerView;

/** Fields that change from second to second without any user action. */
const FIGURES: ReadonlySet<Field> = new Set<Field>(['sample', 'busy', 'recentCalls']);

function figureUpdate({ name, sample, busy, recentCalls }: ServerView): ServerFigures {
  return { name, ...(sample && { sample }), ...(busy && { busy }), ...(recentCalls && { recentCalls }) };
}

const fieldsIn = (view: ServerView) => Object.keys(view) as Field[];

function isSame(field: Field, one: unknown, other: unknown): boolean {
  // Compares identity first, because most fields are identical, and this comparison runs for every server each second.
  if (one === other) return true;
  if (field === 'unansweredSince') return isSameTime(one, other);
  return isDeepStrictEqual(one, other);
}

function isSameTime(one: unknown, other: unknown): boolean {
  return typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) < OWED_TOLERANCE_MS;
}
