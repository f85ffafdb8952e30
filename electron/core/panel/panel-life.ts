import type { ServerConfig } from '../../../shared/server-config.ts';
import type { StateKind } from '../../../shared/server-states.ts';
import type { ConfigChange } from '../config/servers-file.ts';
import type { LoadedSettings } from '../settings/settings-file.ts';
import { shortId } from '../supervisor/custody/container-custody.ts';
import { bridgeLedgerHome, ledgerFolder } from '../supervisor/custody/open-custody.ts';
import { reapOrphans } from '../supervisor/custody/orphan-reaper.ts';
import type { QuitWay } from '../doorkeeper/stand-by.ts';
import type { PanelParts } from './wire-parts.ts';

/** True if nothing runs or is about to run in that state. */
const isDown = (kind: StateKind): boolean => kind === 'stopped' || kind === 'failed' || kind === 'asleep';

/** Life of the panel from start to end: steps that concern all its parts, and reactions to changed files. */
export class PanelLife {
  readonly #parts: PanelParts;
  #isBegun = false;
  #disposing: Promise<void> | undefined;

  constructor(parts: PanelParts) {
    const { files, options } = parts;
    this.#parts = parts;
    files.configChanges.subscribe((change) =>
      parts.currentTask.run('apply-config', undefined, () => this.#configChanged(change)),
    );
    files.consents.agreed.subscribe(() => this.#agreed());
    // Once a server has stopped, it no longer runs with its old definition.
    parts.signals.stateChanged.subscribe(({ server, state }) => {
      if (isDown(state.kind) && files.consents.question(server)) queueMicrotask(() => this.#apply());
    });
    parts.signals.offerChanged.subscribe((server) => this.#offerChanged(server));
    files.rewrites.subscribe(() => parts.hub.configChanged());
    files.settingsChanges.subscribe((current) => this.#settingsChanged(current));
    files.journal.onEvent((event) => {
      parts.hub.eventAppended(event);
      const isFailure = event.kind === 'start-failed' || event.kind === 'gave-up';
      // The user may have just installed the missing command, so the PATH is read again.
      if (isFailure && event.detail.code === 'COMMAND_NOT_FOUND') void options.loginPath?.recapture();
    });
  }

  start(): void {
    this.#parts.causes.panelStarted();
    this.#parts.alerts.start();
    void this.#begin();
  }

  resumed(): void {
    const { causes, fleet, sessions } = this.#parts;
    causes.resumed();
    for (const supervisor of fleet.supervisors)
      for (const instance of [supervisor, ...sessions.further(supervisor.name)]) instance.resumed();
  }

  quitBegins(how: QuitWay): void {
    this.#parts.causes.panelQuit();
    this.#parts.gateway.quits(how);
  }

  /** Ends all parts of the panel. Idempotent. */
  dispose(): Promise<void> {
    this.#disposing ??= this.#dispose();
    return this.#disposing;
  }

  async #begin(): Promise<void> {
    const { files, gateway, history, leftBehind, options, programs, reports, signals, supervisors } =
      this.#parts;
    const { current } = files.servers;
    reports.loaded(current);
    history.recorder.configured(current.servers);
    this.#isBegun = true;
    this.#apply();
    signals.fleetChanged.emit();
    // The port is opened first, so that clients can connect. Their requests wait until the server that they need is up.
    await gateway.start();
    await options.startsAfter;
    if (this.#disposing) return;
    // All servers exist, but processes of an earlier panel may hold their ports, files and locks.
    await Promise.all([files.custody.ready(), this.#reap(), options.loginPath?.ensure()]);
    void this.#reapElsewhere();
    supervisors.openGate();
    void programs.watch();
    leftBehind.start();
  }

  async #reap(): Promise<void> {
    const { files, options } = this.#parts;
    const { containers, journal, notice } = files;
    // Processes of bridges that are gone are ended as well. A living bridge keeps its server until the bridge has moved over to
    // the panel.
    const found = [options.home, bridgeLedgerHome(options.home)].map((owner) =>
      reapOrphans({ ...options, folder: ledgerFolder(owner), onProblem: notice }),
    );
    for (const { server, ...detail } of (await Promise.all(found)).flat()) {
      journal.append(server, 'orphan-reaped', detail);
      notice(
        `${server}: ended processes ${detail.pids.join(', ')} that an earlier panel left (${detail.commands.join(', ')})`,
      );
    }
    // Containers are removed after the engine clients have ended, because a living client would still wait for its container.
    for (const { server, engine, ids } of await containers.reap(notice)) {
      const names = ids.map(shortId);
      journal.append(server, 'orphan-reaped', { pids: [], commands: [engine], containers: names });
      notice(`${server}: ended container ${names.join(', ')} of ${engine} that an earlier panel left`);
    }
  }

  /** Ends what an earlier panel left on other engines, except for servers with automatic start, which adopt what was left. */
  async #reapElsewhere(): Promise<void> {
    const starting = this.#parts.files.servers.current.servers.filter(
      ({ enabled, panel }) => enabled && panel.autoStart,
    );
    const names = new Set(starting.map(({ name }) => name));
    await this.#parts.supervisors.elsewhere.reap((server) => names.has(server));
  }

  async #dispose(): Promise<void> {
    const parts = this.#parts;
    const { files, options } = parts;
    parts.causes.panelQuit();
    parts.alerts.dispose();
    parts.programs.dispose();
    parts.leftBehind.dispose();
    files.settings.dispose();
    files.servers.dispose();
    files.consents.dispose();
    parts.signIns.dispose();
    files.approvals.dispose();
    await parts.gateway.stop();
    // No session is created from now on. Sessions and servers end in parallel.
    await Promise.all([parts.sessionsTopic.close(), parts.fleet.close()]);
    await parts.supervisors.elsewhere.close();
    files.containers.close();
    options.loginPath?.dispose();
    await files.custody.close();
    await files.observedSharing.flush();
    await files.consents.flush();
    await files.secretNotes.flush();
    parts.loopWatch?.dispose();
    parts.longTurns.dispose();
    await files.journal.dispose();
    await parts.logs.dispose();
    await parts.reader.dispose();
    parts.telemetry.dispose();
    parts.trends.dispose();
    await parts.history.dispose();
    parts.calls.dispose();
    parts.hub.flush();
    parts.hub.dispose();
    options.table.dispose();
  }

  #offerChanged(server: string): void {
    const { causes, fleet, gateway, signals } = this.#parts;
    const { config } = fleet.get(server);
    const view = gateway.offeredTools.viewOf(config);
    const { before, after } = gateway.offeredTools.changed(server).version;
    if (view) causes.offerChanged(server, view, before === undefined ? undefined : after);
    signals.serverChanged.emit(server);
  }

  #configChanged(change: ConfigChange): void {
    const { causes, files, history, hub, reports, signals } = this.#parts;
    const { current, diff } = change;
    history.recorder.configured(current.servers);
    hub.configChanged();
    files.journal.setConfigs(this.#known());
    // The consents are checked first, because an edit that waits for an agreement restarts nothing.
    const inForce = this.#inForce();
    causes.configChanged(change, (name) => files.consents.question(name) !== undefined);
    reports.loaded(current);
    this.#apply(inForce);
    // A server without automatic start enters no state, so the window would not be notified of it.
    for (const name of diff.added) hub.serverChanged(name);
    signals.fleetChanged.emit();
  }

  /** Applies the part of the configuration on disk that may run. */
  #apply(known?: readonly ServerConfig[]): void {
    const { fleet, sessions } = this.#parts;
    if (!this.#isBegun || this.#disposing) return;
    const inForce = known ?? this.#inForce();
    fleet.apply(inForce);
    sessions.apply(inForce);
  }

  /** Returns the part of the configuration on disk that may run. For the rest, the user is asked. */
  #inForce(): readonly ServerConfig[] {
    const { consents, servers } = this.#parts.files;
    return consents.inForce(servers.current.servers, (name) => this.#running(name));
  }

  /** Handles an agreement of the user: servers that waited for it start automatically. */
  #agreed(): void {
    const { fleet } = this.#parts;
    this.#apply();
    for (const supervisor of fleet.supervisors) {
      const { config, name, stateKind } = supervisor;
      const waits = stateKind === 'failed' && supervisor.view().lastError?.code === 'CONSENT_REQUIRED';
      const mayStart =
        config.enabled && config.panel.autoStart && this.#parts.files.consents.isAgreed(name, config);
      if (waits && mayStart) supervisor.start('configuration').catch(() => undefined);
    }
  }

  /** Returns the definition that a server runs with; undefined for one that is down. */
  #running(name: string): ServerConfig | undefined {
    const supervisor = this.#parts.fleet.find(name);
    return supervisor && !isDown(supervisor.stateKind) ? supervisor.config : undefined;
  }

  /** Returns the definitions on disk, and those that still run. */
  #known(): readonly ServerConfig[] {
    return [
      ...this.#parts.files.servers.current.servers,
      ...this.#parts.fleet.supervisors.map(({ config }) => config),
    ];
  }

  #settingsChanged({ settings, error }: LoadedSettings): void {
    if (error) this.#parts.files.notice(`settings.json: ${error.message}`);
    this.#parts.signals.settingsChanged.emit(settings);
    if (this.#isBegun && !this.#disposing) void this.#parts.gateway.settingsChanged();
    this.#parts.files.servers.refresh();
  }
}
