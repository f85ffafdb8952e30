import { groupBy } from '../../../shared/group-by.ts';
import type { AlertRule, AlertSettings, AlertTest, UnsentAlert } from '../../../shared/alerts.ts';
import type { CallMinute } from '../../../shared/call-figures.ts';
import type { ServerView } from '../../../shared/domain.ts';
import type { EventDetails, PanelEvent } from '../../../shared/events.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { Disposable, WallClock } from '../clock.ts';
import { Emitter } from '../emitter.ts';
import { AlertQueue } from './alert-queue.ts';
import { alertOf, testAlertOf, type Alert, type AlertedServer } from './alert-words.ts';
import { conditionOf, OverLimits, SHARE_MS } from './conditions.ts';
import { isQuietAt, seen, step, type Episode } from './episode.ts';
import { appliesTo, LogPatterns } from './log-patterns.ts';
import { post, type PostDeps } from './post.ts';
import { webhookRequest } from './webhook-request.ts';

interface AlertsOptions extends PostDeps {
  readonly wallClock: WallClock;
  readonly settings: () => AlertSettings;
  readonly servers: () => readonly ServerView[];
  readonly view: (name: string) => ServerView | undefined;
  readonly callMinutes: (name: string, sinceEpochMs: number) => readonly CallMinute[];
  /** Replaces references to secrets in the URL of the webhook with their values. @throws PanelError if a secret is missing */
  readonly resolve: (url: string) => string;
  readonly redact: (text: string) => string;
  readonly logEvent: (server: string | null, detail: EventDetails['alert-failed']) => void;
}

/** Time between checks of all servers, and the wait in which alerts of several servers are combined into one, in ms. */
const LOOK_MS = 10_000;
const GROUP_MS = 1000;
/** Maximum number of unsent alerts that are kept for display. */
const MAX_UNSENT = 20;
/** Used in place of a rule's id when only the webhook is tested. */
const THE_WEBHOOK = 'webhook';

/** Evaluates alert rules: checks servers, their events and log lines, and sends what is due. The caller disposes. */
export class Alerts {
  /** Emits alerts for the desktop. */
  readonly desktop = new Emitter<Alert>();
  readonly #options: AlertsOptions;
  readonly #queue: AlertQueue;
  readonly #overLimits = new OverLimits();
  readonly #patterns = new LogPatterns((rule, { server, text }) => this.#moment(rule, server, text));
  /** For each rule id, the episodes by server name. An episode is the time in which the rule's condition holds for a server. */
  readonly #episodes = new Map<string, Map<string, Episode>>();
  #rules: readonly AlertRule[] = [];
  #unsent: readonly UnsentAlert[] = [];
  #timer: (Disposable & { readonly dueMs: number }) | undefined;
  #isStarted = false;

  constructor(options: AlertsOptions) {
    this.#options = options;
    this.#queue = new AlertQueue({
      clock: options.clock,
      send: (alert, signal) => this.#post(alert, signal),
      onUnsent: (alerts, why) => this.#notSent(alerts, why),
    });
  }

  /** Number of alerts that wait to be sent to the webhook. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** The last alerts that were not sent, newest first. */
  get unsent(): readonly UnsentAlert[] {
    return this.#unsent;
  }

  start(): void {
    this.#isStarted = true;
    this.settingsChanged();
  }

  /** Applies the changed settings. Episodes of rules that have not changed continue. */
  settingsChanged(): void {
    if (!this.#isStarted) return;
    const before = new Map(this.#rules.map((rule) => [rule.id, JSON.stringify(rule)]));
    this.#rules = this.#options.settings().rules;
    const same = new Set(
      this.#rules.filter((rule) => before.get(rule.id) === JSON.stringify(rule)).map(({ id }) => id),
    );
    for (const id of this.#episodes.keys()) if (!same.has(id)) this.#episodes.delete(id);
    void this.#patterns.setRules(this.#rules);
    this.#wake(0);
  }

  eventHappened(event: PanelEvent): void {
    const { server, detail, kind } = event;
    // Events of replicas (additional instances of a server) are ignored: a replica has its own limits, and its server keeps
    // running.
    if (server === null || detail.instance !== undefined) return;
    this.#overLimits.happened(server, event);
    if (kind === 'trend') for (const rule of this.#rulesOf('trend', server)) this.#moment(rule, server);
    this.serverChanged(server);
  }

  serverChanged(name: string): void {
    const view = this.#rules.length === 0 ? undefined : this.#options.view(name);
    if (view && this.#look(view)) this.#wake(GROUP_MS);
  }

  serverRemoved(name: string): void {
    this.#overLimits.forget(name);
    for (const episodes of this.#episodes.values()) episodes.delete(name);
  }

  lineWritten(server: string, text: string): void {
    this.#patterns.add({ server, text });
  }

  /** Sends a test alert immediately. @param id of a rule, or `webhook` @returns undefined for an unknown rule */
  async test(id: string): Promise<AlertTest | undefined> {
    const rule = this.#rules.find((one) => one.id === id);
    if (!rule && id !== THE_WEBHOOK) return undefined;
    const to = rule?.to ?? [THE_WEBHOOK];
    const alert = testAlertOf(id, this.#options.wallClock.epochMs());
    if (to.includes('desktop')) this.desktop.emit(alert);
    if (!to.includes('webhook')) return {};
    const { body, ...told } = await this.#post(alert);
    return { ...told, ...(body !== undefined && { body: this.#options.redact(body) }) };
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#isStarted = false;
    this.#rules = [];
    this.#queue.dispose();
  }

  #rulesOf(what: AlertRule['what'], server: string): readonly AlertRule[] {
    return this.#rules.filter((rule) => rule.what === what && appliesTo(rule, server));
  }

  /** Records an event without a duration, such as a log line. */
  #moment(rule: AlertRule, server: string, detail?: string): void {
    const nowMs = this.#options.clock.now();
    const episodes = this.#episodesOf(rule);
    const holding = seen(episodes.get(server), true, nowMs, detail);
    const over = seen(holding, false, nowMs);
    if (over) episodes.set(server, over);
    this.#wake(GROUP_MS);
  }

  /** Checks whether conditions hold for a server. Returns true if one has begun to hold. */
  #look(view: ServerView): boolean {
    const { callMinutes, clock, wallClock } = this.#options;
    const facts = {
      view,
      overLimits: this.#overLimits.of(view.name),
      minutes: () => callMinutes(view.name, wallClock.epochMs() - SHARE_MS),
    };
    let hasBegun = false;
    for (const rule of this.#rules) {
      if (!appliesTo(rule, view.name)) continue;
      const { holds, detail } = conditionOf(rule, facts);
      const episodes = this.#episodesOf(rule);
      const before = episodes.get(view.name);
      const after = holds === undefined ? before : seen(before, holds, clock.now(), detail);
      hasBegun ||= after !== undefined && before === undefined;
      if (after) episodes.set(view.name, after);
    }
    return hasBegun;
  }

  #episodesOf({ id }: AlertRule): Map<string, Episode> {
    const episodes = this.#episodes.get(id) ?? new Map<string, Episode>();
    this.#episodes.set(id, episodes);
    return episodes;
  }

  /** Checks all servers, and sends what is due. */
  #pass(): void {
    this.#timer = undefined;
    if (this.#rules.length === 0) return;
    for (const view of this.#options.servers()) this.#look(view);
    for (const rule of this.#rules) this.#sendDue(rule);
    const skipped = this.#patterns.takeSkipped();
    if (skipped > 0)
      this.#note(null, {
        rule: '',
        what: 'log',
        reason: 'Lines came too fast to be searched.',
        count: skipped,
      });
    this.#wake(LOOK_MS);
  }

  #sendDue(rule: AlertRule): void {
    const { clock, settings, wallClock } = this.#options;
    const [nowMs, now] = [clock.now(), wallClock.epochMs()];
    const isQuiet = isQuietAt(settings().quietHours, new Date(now));
    const episodes = this.#episodesOf(rule);
    const due: AlertedServer[] = [];
    // A trend is reported only after days of growth, so the rule needs no minimum duration.
    const bounds = rule.what === 'trend' ? { ...rule, lastsMinutes: 0 } : rule;
    for (const [name, before] of episodes) {
      const { episode, sends } = step(before, bounds, nowMs, isQuiet);
      if (episode) episodes.set(name, episode);
      else episodes.delete(name);
      if (sends) due.push({ name, since: now - (nowMs - before.sinceMs), detail: before.detail });
    }
    if (due.length === 0) return;
    const alert = alertOf(rule, due, now);
    if (rule.to.includes('desktop') && this.desktop.size === 0)
      this.#notSent([alert], { reason: 'This panel runs without a window.' });
    if (rule.to.includes('desktop')) this.desktop.emit(alert);
    if (rule.to.includes('webhook')) this.#queue.add(alert);
  }

  async #post(alert: Alert, signal?: AbortSignal): Promise<AlertTest> {
    const { resolve, settings } = this.#options;
    const { webhook } = settings();
    if (!webhook) return { error: 'No webhook is set.' };
    let url: string;
    try {
      url = resolve(webhook.url);
    } catch (error) {
      return { error: messageOf(error) };
    }
    return post(this.#options, url, webhookRequest(webhook.template, alert), signal);
  }

  #notSent(alerts: readonly Alert[], why: Pick<UnsentAlert, 'reason' | 'status'>): void {
    for (const [rule, [first, ...others]] of groupBy(alerts, (alert) => alert.rule)) {
      const [server, ...more] = first?.servers ?? [];
      const isOfOne = others.length === 0 && more.length === 0 && server !== undefined;
      this.#note(isOfOne ? server.name : null, {
        ...{ rule, what: first?.what ?? '', count: 1 + others.length },
        ...why,
      });
    }
  }

  #note(server: string | null, unsent: Omit<UnsentAlert, 'at'>): void {
    this.#unsent = [{ at: this.#options.wallClock.epochMs(), ...unsent }, ...this.#unsent].slice(
      0,
      MAX_UNSENT,
    );
    this.#options.logEvent(server, unsent);
  }

  /** Makes the next check run within `delayMs` at the latest. */
  #wake(delayMs: number): void {
    const { clock } = this.#options;
    const dueMs = clock.now() + delayMs;
    if (!this.#isStarted || (this.#timer && this.#timer.dueMs <= dueMs)) return;
    this.#timer?.dispose();
    const timer = clock.setTimeout(() => this.#pass(), delayMs);
    this.#timer = { dueMs, dispose: () => timer.dispose() };
  }
}
