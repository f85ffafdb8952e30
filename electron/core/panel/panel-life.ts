import type { ServerConfig } from '../../../shared/server-config.ts';
import type { StateKind } from '../../../shared/server-states.ts';
import type { ConfigChange } from '../config/servers-file.ts';
import type { LoadedSettings } from '../settings/settings-file.ts';
import { shortId } from '../supervisor/custody/container-custody.ts';
import { bridgeLedgerHome, ledgerFolder } from '../supervisor/custody/open-custody.ts';
import { reapOrphans } from '../supervisor/custody/orphan-reaper.ts';
import type { QuitWay } from '../doorkeeper/stand-by.ts';
import type { PanelParts } from './wire-parts.ts';

/** True if a server in that state neither runs nor is about to run. */
const isDown = (kind: StateKind): boolean => kind === 'stopped' || kind === 'failed' || kind === 'asleep';

/** Starts and ends all parts of the panel in the necessary order, and reacts to changed files. */
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
    // An edit that still needs the user's consent does not affect a running server. Once the server has stopped, its old
    // definition no longer applies, so the configuration is applied again.
    parts.signals.stateChanged.subscribe(({ server, state }) => {
      if (isDown(state.kind) && files.consents.question(server)) queueMicrotask(() => this.#apply());
    });
    parts.signals.offerChanged.subscribe((server) => this.#offerChanged(server));
    files.rewrites.subscribe(() => parts.hub.configChanged());
    files.settingsChanges.subscribe((current) => this.#settingsChanged(current));
    files.journal.onEvent((event) => {
      parts.hub.eventAppended(event);
      const isFailure = event.kind === 'start-failed' || event.kind === 'gave-up';
      // If a command was not found, PATH is read again, because the user may install the command and retry.
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
    // The gateway's port is opened before the servers start, so that clients can connect. Their requests wait until the server
    // that they need is running.
    await gateway.start();
    await options.startsAfter;
    if (this.#disposing) return;
    // The servers have been created, but none may start yet: processes left over from an earlier panel may still hold their
    // ports, files and locks.
    await Promise.all([files.custody.ready(), this.#reap(), options.loginPath?.ensure()]);
    void this.#reapElsewhere();
    supervisors.openGate();
    void programs.watch();
    leftBehind.start();
  }

  async #reap(): Promise<void> {
    const { files, options } = this.#parts;
    const { containers, journal, notice } = files;
    // Also ends the leftover processes of bridges that no longer run (a bridge is a program that runs servers for MCP clients
    // while the panel is away). A bridge that still runs keeps its server until it has switched over to the panel.
    const found = [options.home, bridgeLedgerHome(options.home)].map((owner) =>
      reapOrphans({ ...options, folder: ledgerFolder(owner), onProblem: notice }),
    );
    for (const { server, ...detail } of (await Promise.all(found)).flat()) {
      journal.append(server, 'orphan-reaped', detail);
      notice(
        `${server}: ended processes ${detail.pids.join(', ')} that an earlier panel left (${detail.commands.join(', ')})`,
      );
    }
    // Containers are removed after the processes of the engine's command line have ended, because such a process would still
    // wait for its container.
    for (const { server, engine, ids } of await containers.reap(notice)) {
      const names = ids.map(shortId);
      journal.append(server, 'orphan-reaped', { pids: [], commands: [engine], containers: names });
      notice(`${server}: ended container ${names.join(', ')} of ${engine} that an earlier panel left`);
    }
  }

  /**
   * Ends what an earlier panel left running on other container engines. What belongs to a server with automatic start is left
   * running, because that server adopts it.
   */
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
    // From here on, no session can be created. Sessions and servers are ended in parallel.
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
    // The consents are checked before the change is recorded, because an edit that waits for the user's consent does not
    // restart anything.
    const inForce = this.#inForce();
    causes.configChanged(change, (name) => files.consents.question(name) !== undefined);
    reports.loaded(current);
    this.#apply(inForce);
    // The window is notified of each added server here, because a server without automatic start changes no state that would
    // trigger a notification.
    for (const name of diff.added) hub.serverChanged(name);
    signals.fleetChanged.emit();
  }

  /**
   * Applies the definitions that may run to servers and sessions. @param known these definitions, if the caller has them
   * already
   */
  #apply(known?: readonly ServerConfig[]): void {
    const { fleet, sessions } = this.#parts;
    if (!this.#isBegun || this.#disposing) return;
    const inForce = known ?? this.#inForce();
    fleet.apply(inForce);
    sessions.apply(inForce);
  }

  /**
   * Returns the definitions that may run: what is on disk, except that a definition without consent is replaced by the running
   * one. The user is asked about each definition without consent.
   */
  #inForce(): readonly ServerConfig[] {
    const { consents, servers } = this.#parts.files;
    return consents.inForce(servers.current.servers, (name) => this.#running(name));
  }

  /**
   * Called when the user has consented to definitions. Starts the servers that failed because of the missing consent and have
   * automatic start.
   */
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

  /** Returns the definition with which a server is running; undefined if the server is down. */
  #running(name: string): ServerConfig | undefined {
    const supervisor = this.#parts.fleet.find(name);
    return supervisor && !isDown(supervisor.stateKind) ? supervisor.config : undefined;
  }

  /**
   * Returns all definitions on disk and all definitions with which servers still run, because the secrets of both must be
   * redacted.
   */
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
