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
 * Records events that may explain how servers behave: starts and ends of the panel, sleep of the machine, edits of
 * servers.json, and new versions of servers. What was last known is read from the journal, so that changes between app runs are
 * noticed as far back as the journal reaches.
 */
export class CauseLog {
  readonly #options: CauseLogOptions;
  /** Version that each server last reported. */
  readonly #seen = new Map<string, ServerInfo>();
  /** Changes of tool definitions that are already in the journal, by server and digest. */
  readonly #offers = new Set<string>();
  /** Last start or end of the panel before this app run. If it is a start, the panel crashed. */
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
   * Records the end of the panel, and writes it to disk before it returns. At the end of a desktop session there may be no more
   * time, and without this event the next start would report a crash. Skipped if the panel was asked to quit before it had
   * started. Idempotent.
   */
  panelQuit(): void {
    if (!this.#isPanelUp) return;
    this.#isPanelUp = false;
    this.#options.journal.append(null, 'panel-quit', {});
    this.#options.journal.flushSync();
  }

  /** Remembers the time at which the machine goes to sleep. The sleep is recorded as an event when the machine wakes up. */
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
   * Records one event for each server whose entry changed, or a single event if only the defaults of all servers changed.
   * @param isAsked returns true if the user must first agree to the server's new definition, in which case the change does not
   * restart the server yet
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
      // The event states whether the server is now enabled, because the field name `disabled` alone would suggest the opposite
      // when a server is enabled.
      const isSwitched = fields.includes('disabled');
      const isEnabled = isSwitched
        ? current.servers.find((server) => server.name === name)?.enabled
        : undefined;
      const settings = unlessEmpty(settingsOf(name));
      journal.append(name, 'config-changed', { change: 'edited', fields, settings, isEnabled, restarts });
    }
  }

  /**
   * Records that a server has changed the description of its tools. The same change is recorded only once. @param version new
   * version of the server's package, if the package has changed
   */
  offerChanged(server: string, { digest, held, shown }: ChangedToolsView, version?: string): void {
    const key = offerKey(server, digest);
    if (this.#offers.has(key)) return;
    this.#offers.add(key);
    this.#options.journal.append(server, 'offer-changed', { held, shown, digest, version });
  }

  /**
   * Records a new version if it differs from the one that the server last reported. If the reported name differs too, it is
   * another program, whose versions cannot be compared.
   */
  #compareVersion(event: PanelEvent): void {
    const last = event.server === null ? undefined : this.#seen.get(event.server);
    const info = this.#takeVersion(event);
    if (last === undefined || last.name !== info?.name || last.version === info.version) return;
    const change = { from: last.version, to: info.version };
    this.#options.journal.append(event.server, 'server-version-changed', change);
  }

  /** Stores and returns the event's version. Events of replicas are skipped, as the main instance may run another version. */
  #takeVersion(event: PanelEvent): ServerInfo | undefined {
    if (event.server === null || event.detail.instance !== undefined) return undefined;
    if (!beginsRun(event)) return undefined;
    const { name, version } = event.detail.serverInfo ?? {};
    if (name === undefined || version === undefined) return undefined;
    this.#seen.set(event.server, { name, version });
    return { name, version };
  }
}

/** Removes duplicates: a changed default would otherwise be listed once for each server that uses it. */
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
