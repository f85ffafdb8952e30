import { beginsRun, type PanelEvent } from '../../../shared/events.ts';
import type { WallClock } from '../clock.ts';
import { changedFields, changedSettings, type SettingChange } from '../config/config-diff.ts';
import type { ConfigChange } from '../config/servers-file.ts';
import type { ChangedToolsView } from '../../../shared/offered-tools.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Journal } from './journal.ts';

interface CauseLogOptions {
  readonly journal: Pick<Journal, 'append' | 'events' | 'flushSync' | 'onEvent'>;
  readonly wallClock: WallClock;
  readonly appVersion: string;
}

/**
 * Records events around the servers that may explain their behaviour: starts and ends of the panel, sleep of the machine, edits
 * of servers.json, new versions of servers. The last known state is kept across app runs, as far back as the journal reaches.
 */
export class CauseLog {
  readonly #options: CauseLogOptions;
  /** Version that each server last reported. */
  readonly #seen = new Map<string, ServerInfo>();
  /** Digests of the changed offers that are already in the journal. */
  readonly #offers = new Set<string>();
  /** Last start or end of the panel before this app run. */
  readonly #before: PanelEvent | undefined;
  #isPanelUp = false;
  #suspendedAt: number | undefined;

  constructor(options: CauseLogOptions) {
    this.#options = options;
    const { journal } = options;
    this.#before = journal.events.findLast(({ kind }) => kind === 'panel-started' || kind === 'panel-quit');
    for (const event of journal.events) {
      this.#takeVersion(event);
      if (event.kind === 'offer-changed') this.#offers.add(offerKey(event.server, event.detail.digest));
    }
    journal.onEvent((event) => this.#compareVersion(event));
  }

  panelStarted(): void {
    const { journal, wallClock, appVersion } = this.#options;
    const before = this.#before;
    this.#isPanelUp = true;
    journal.append(null, 'panel-started', {
      version: appVersion,
      absentMs: before?.kind === 'panel-quit' ? Math.max(0, wallClock.epochMs() - before.at) : undefined,
      endedUncleanly: before?.kind === 'panel-started' || undefined,
    });
  }

  /**
   * Writes the end of the panel to disk before it returns, because a desktop session that ends leaves no more time, and the
   * next start would report a crash. Skipped if the panel was asked to quit before it had started. Idempotent.
   */
  panelQuit(): void {
    if (!this.#isPanelUp) return;
    this.#isPanelUp = false;
    this.#options.journal.append(null, 'panel-quit', {});
    this.#options.journal.flushSync();
  }

  /** Records that the machine is about to sleep. */
  suspended(): void {
    this.#suspendedAt ??= this.#options.wallClock.epochMs();
  }

  /** Records that the machine is awake again. */
  resumed(): void {
    const { journal, wallClock } = this.#options;
    const sleptMs =
      this.#suspendedAt === undefined ? undefined : Math.max(0, wallClock.epochMs() - this.#suspendedAt);
    this.#suspendedAt = undefined;
    journal.append(null, 'system-resumed', { sleptMs });
  }

  /**
   * Writes one event for each server whose entry changed, or a single one if only the defaults of all servers changed.
   * @param isAsked returns true if the definition of that server waits for an agreement, so that the change restarts nothing
   */
  configChanged(
    { previous, current, diff, cause }: ConfigChange,
    isAsked: (server: string) => boolean = () => false,
  ): void {
    const { journal } = this.#options;
    const formsOf = (name: string) =>
      [previous, current].map(({ servers }) => servers.find((server) => server.name === name)) as [
        ServerConfig | undefined,
        ServerConfig | undefined,
      ];
    const fieldsOf = (name: string) => changedFields(...formsOf(name));
    const settingsOf = (name: string) => changedSettings(...formsOf(name));
    const { added, removed, reconnect, panelChanged } = diff;
    if (cause === 'defaults') {
      const fields = [...new Set(panelChanged.flatMap(fieldsOf))];
      if (fields.length > 0)
        journal.append(null, 'config-changed', {
          change: 'defaults',
          servers: panelChanged,
          fields,
          settings: unlessEmpty(onePerField(panelChanged.flatMap(settingsOf))),
        });
      return;
    }
    for (const name of added) journal.append(name, 'config-changed', { change: 'added' });
    for (const name of removed) journal.append(name, 'config-changed', { change: 'removed' });
    for (const name of [...reconnect, ...panelChanged]) {
      const restarts = (reconnect.includes(name) && !isAsked(name)) || undefined;
      const fields = fieldsOf(name);
      // `disabled` needs its value in the event, because the name of the field alone says the opposite when a server is enabled.
      const isSwitched = fields.includes('disabled');
      const isEnabled = isSwitched
        ? current.servers.find((server) => server.name === name)?.enabled
        : undefined;
      const settings = unlessEmpty(settingsOf(name));
      journal.append(name, 'config-changed', { change: 'edited', fields, settings, isEnabled, restarts });
    }
  }

  /**
   * Records that a server describes its tools differently. The same changes are recorded only once. @param version of its
   * package, if it is a new one
   */
  offerChanged(server: string, { digest, held, shown }: ChangedToolsView, version?: string): void {
    const key = offerKey(server, digest);
    if (this.#offers.has(key)) return;
    this.#offers.add(key);
    this.#options.journal.append(server, 'offer-changed', { held, shown, digest, version });
  }

  /**
   * Compares the version with the one last reported. A server with another name counts as another program, so that it has no
   * older version.
   */
  #compareVersion(event: PanelEvent): void {
    const last = event.server === null ? undefined : this.#seen.get(event.server);
    const info = this.#takeVersion(event);
    if (last === undefined || last.name !== info?.name || last.version === info.version) return;
    const change = { from: last.version, to: info.version };
    this.#options.journal.append(event.server, 'server-version-changed', change);
  }

  /**
   * Stores and returns the version in the event. Events of replicas are skipped, because the server's main instance may run
   * another version.
   */
  #takeVersion(event: PanelEvent): ServerInfo | undefined {
    if (event.server === null || event.detail.instance !== undefined) return undefined;
    if (!beginsRun(event)) return undefined;
    const { name, version } = event.detail.serverInfo ?? {};
    if (name === undefined || version === undefined) return undefined;
    this.#seen.set(event.server, { name, version });
    return { name, version };
  }
}

/** Removes repeated changes, because a changed default is the same for every server that uses it. */
const onePerField = (settings: readonly SettingChange[]): readonly SettingChange[] => [
  ...new Map(settings.map((setting) => [setting.field, setting])).values(),
];

const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length === 0 ? undefined : list;

const offerKey = (server: string | null, digest: string | undefined): string =>
  JSON.stringify([server, digest]);

interface ServerInfo {
  readonly name: string;
  readonly version: string;
}
