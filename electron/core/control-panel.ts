import { join } from 'node:path';
import type {
  CallOutcome,
  CallProgress,
  Offer,
  OutputLine,
  PanelEvent,
  Push,
  Sample,
  ServerView,
  SessionsView,
  SharingView,
  Snapshot,
} from '../../shared/domain.ts';
import type { EditBasis, NamedEntry, ServerCall } from '../../shared/ipc-contract.ts';
import type { Settings } from '../../shared/settings.ts';
import { ConfigReports } from './config/config-reports.ts';
import { ServerManagement } from './config/manage-servers.ts';
import { openServersFile, type ConfigChange, type ServersFile } from './config/servers-file.ts';
import type { ControlPanel, StateChange } from './control-panel-api.ts';
import type { ControlPanelOptions } from './control-panel-options.ts';
import { Emitter } from './emitter.ts';
import { CauseLog } from './journal/cause-log.ts';
import { Journal } from './journal/journal.ts';
import { Notices } from './notices.ts';
import { PushHub } from './push-hub.ts';
import { Fleet } from './supervisor/fleet.ts';
import { reapOrphans } from './supervisor/custody/orphan-reaper.ts';
import { PanelSessions } from './sessions/panel-sessions.ts';
import { ledgerFolder, openCustody } from './supervisor/custody/open-custody.ts';
import type { ProcessCustody } from './supervisor/custody/process-custody.ts';
import { redactView } from './supervisor/server-view.ts';
import { redactState } from './supervisor/state-reason.ts';
import type { ServerSupervisor } from './supervisor/server-supervisor.ts';
import { openSettings, type LoadedSettings, type SettingsFile } from './settings/settings-file.ts';
import { SupervisorFactory } from './supervisor-factory.ts';
import { hasFigures, ServerTelemetry } from './telemetry/server-telemetry.ts';

/** Builds the core and reads servers.json; `start` sets it going. The caller disposes. */
export async function createControlPanel(options: ControlPanelOptions): Promise<ControlPanel> {
  const notices = new Notices();
  const journal = await Journal.open({
    folder: join(options.home, 'logs'),
    clock: options.clock,
    wallClock: options.wallClock,
    launchId: options.createToken().slice(0, 8),
    onProblem: (message) => notices.emit(message),
  });
  const panel = new ControlPanelCore(options, journal, notices);
  await panel.open();
  return panel;
}

class ControlPanelCore implements ControlPanel {
  readonly #options: ControlPanelOptions;
  readonly #journal: Journal;
  readonly #causes: CauseLog;
  readonly #reports: ConfigReports;
  readonly #hub: PushHub;
  readonly #supervisors: SupervisorFactory;
  readonly #fleet: Fleet;
  readonly #telemetry: ServerTelemetry;
  readonly #sessions: PanelSessions<ServerSupervisor>;
  readonly #stateChanges = new Emitter<StateChange>();
  readonly #fleetChanges = new Emitter<void>();
  readonly #notices: Notices;
  #file: ServersFile | undefined;
  #management: ServerManagement | undefined;
  #settings: SettingsFile | undefined;
  readonly #settingsChanges = new Emitter<Settings>();
  #custody: ProcessCustody | undefined;
  #isBegun = false;
  #disposing: Promise<void> | undefined;

  constructor(options: ControlPanelOptions, journal: Journal, notices: Notices) {
    this.#options = options;
    this.#journal = journal;
    this.#notices = notices;
    this.#hub = new PushHub({
      clock: options.clock,
      view: (name) => this.#view(name),
      config: () => this.#configStatus(),
    });
    this.#journal.onEvent((event) => this.#hub.eventAppended(event));
    this.#causes = new CauseLog({ ...options, journal });
    const path = join(options.home, 'servers.json');
    this.#reports = new ConfigReports({ path, journal, notice: (line) => this.#notice(line) });
    // Whoever has just installed what was missing tries again: with the PATH of then.
    this.#journal.onEvent(({ detail }) => {
      if (detail['code'] === 'COMMAND_NOT_FOUND') void options.loginPath?.recapture();
    });
    this.#supervisors = new SupervisorFactory({
      ...options,
      journal,
      // Set by `open` before anything starts.
      custody: () => this.#custody!,
      onChange: (server) => {
        this.#hub.serverChanged(server);
        this.#telemetry.poke();
      },
      onState: (server, state) => this.#stateChanged(server, state),
      onProbeAnswered: (server, rttMs) => this.#probeAnswered(server, rttMs),
      onAskedBack: (server, method) => this.#sessions.askedBack(server, method),
      notice: (line) => this.#notice(line),
    });
    this.#fleet = new Fleet({
      createSupervisor: (config) => this.#supervisors.create(config),
      onRemoved: (name) => this.#removed(name),
    });
    this.#sessions = new PanelSessions({
      clock: options.clock,
      wallClock: options.wallClock,
      fleet: this.#fleet,
      stateChanges: this.#stateChanges,
      createInstance: (config, server) => this.#supervisors.create(config, server),
      onChange: (name) => this.#hub.serverChanged(name),
      notice: (line) => this.#notice(line),
    });
    this.#telemetry = new ServerTelemetry({
      clock: options.clock,
      wallClock: options.wallClock,
      table: options.table,
      supervisors: () => this.#fleet.supervisors,
      further: (name) => this.#sessions.further(name),
      onSampled: (name) => this.#hub.serverChanged(name),
      onTickDone: () => this.#hub.flush(),
      onError: (error) => this.#notice(`the process table could not be read: ${String(error)}`),
    });
  }

  async open(): Promise<void> {
    const { home, clock } = this.#options;
    this.#settings = await openSettings({
      path: join(home, 'settings.json'),
      clock,
      onChange: (current) => this.#settingsChanged(current),
    });
    if (this.#settings.current.error) this.#notice(this.#settings.current.error.message);
    this.#file = await openServersFile({
      path: join(home, 'servers.json'),
      clock,
      defaults: () => this.settings.current.settings.defaults,
      onChange: (change) => this.#configChanged(change),
      onRewritten: () => this.#hub.configChanged(),
    });
    this.#journal.setConfigs(this.#file.current.servers);
    this.#management = new ServerManagement(this.#file, {
      folder: home,
      importEnvironment: this.#options.importEnvironment,
      test: (config) => this.#supervisors.test(config),
    });
    this.#custody = await openCustody(this.#options, (message) => this.#notice(message));
  }

  start(): void {
    this.#causes.panelStarted();
    void this.#begin();
  }

  async #begin(): Promise<void> {
    const { current } = this.#openFile;
    this.#reports.loaded(current);
    this.#isBegun = true;
    this.#fleet.apply(current.servers);
    this.#fleetChanges.emit();
    await this.#options.startsAfter;
    if (this.#disposing) return;
    // All of them are there, but what an earlier panel left holds the ports, files and locks they want.
    await Promise.all([this.#reap(), this.#options.loginPath?.ensure()]);
    this.#supervisors.openGate();
  }

  getSnapshot(): Snapshot {
    // What is being collected goes out first, so that no push repeats what the snapshot already holds.
    this.#hub.flush();
    const { appVersion, electronVersion, asksQuestions } = this.#options;
    return {
      sequence: this.#hub.sequence,
      appVersion,
      electronVersion,
      asksQuestions,
      config: this.#configStatus(),
      servers: this.#fleet.supervisors.map((supervisor) => this.#viewOf(supervisor)),
      events: [...this.#journal.events],
    };
  }

  readonly redactText = (text: string): string => this.#journal.redactText(text);

  onPush(listener: (push: Push) => void): () => void {
    return this.#hub.pushed.subscribe(listener);
  }
  onStateChange(listener: (change: StateChange) => void): () => void {
    return this.#stateChanges.subscribe(listener);
  }
  onEvent(listener: (event: PanelEvent) => void): () => void {
    return this.#journal.onEvent(listener);
  }
  onFleetChange(listener: () => void): () => void {
    return this.#fleetChanges.subscribe(listener);
  }
  onSettings(listener: (settings: Settings) => void): () => void {
    return this.#settingsChanges.subscribe(listener);
  }
  onNotice(listener: (line: string) => void): () => void {
    return this.#notices.subscribe(listener);
  }

  async startServer(name: string): Promise<void> {
    await this.#fleet.get(name).start();
  }
  async stopServer(name: string): Promise<void> {
    await Promise.all([this.#fleet.get(name).stop(), this.#sessions.stop(name)]);
  }
  async restartServer(name: string): Promise<void> {
    await Promise.all([this.#fleet.get(name).restart(), this.#sessions.endFurther(name)]);
  }

  async putServer(entry: NamedEntry, basis?: EditBasis): Promise<void> {
    await this.#openFile.put(entry, basis);
    const before = basis?.basedOn?.name ?? entry.name;
    if (before !== entry.name) await this.#whenGone(before);
  }

  async removeServer(name: string): Promise<void> {
    this.#fleet.get(name);
    await this.#openFile.remove(name);
    await this.#whenGone(name);
  }

  getSessions(name: string): SessionsView {
    return this.#sessions.view(name);
  }
  evictSession(name: string, generation: number): Promise<void> {
    return this.#sessions.evict(name, generation);
  }
  async setSharing(name: string, mode: SharingView['setting']): Promise<void> {
    this.#fleet.get(name);
    await this.#openFile.set(name, ['panel', 'sessions', 'mode'], mode);
  }
  getOffer(name: string): Promise<Offer> {
    return this.#sessions.offer(name);
  }
  callServer(call: ServerCall): Promise<CallOutcome> {
    return this.#sessions.call(call);
  }
  cancelCall(callId: string): void {
    this.#sessions.cancel(callId);
  }
  onCallProgress(listener: (progress: CallProgress) => void): () => void {
    return this.#sessions.progressed.subscribe(listener);
  }

  getHistory(name: string, sinceMs: number): readonly Sample[] {
    this.#fleet.get(name);
    return this.#telemetry.history(name, sinceMs);
  }

  get settings(): SettingsFile {
    return this.#settings!;
  }
  get manage(): ServerManagement {
    return this.#management!;
  }

  async disputeVerdict(name: string): Promise<void> {
    this.#fleet.get(name);
    await this.#openFile.set(name, ['panel', 'health', 'onStall'], 'notify');
  }

  getOutput(name: string, afterId: number): readonly OutputLine[] {
    return this.#supervisors.output(this.#fleet.get(name).name, afterId);
  }

  async getEarlierOutput(name: string): Promise<readonly OutputLine[]> {
    return this.#supervisors.earlierOutput(this.#fleet.get(name).name);
  }

  suspended(): void {
    this.#causes.suspended();
  }
  resumed(): void {
    this.#causes.resumed();
    for (const supervisor of this.#fleet.supervisors)
      for (const instance of [supervisor, ...this.#sessions.further(supervisor.name)]) instance.resumed();
  }

  setWindowVisible(isVisible: boolean): void {
    this.#hub.setOpen(isVisible);
  }

  dispose(): Promise<void> {
    this.#disposing ??= this.#dispose();
    return this.#disposing;
  }

  async #reap(): Promise<void> {
    const { home, table, signaller, clock, bootId, ownPid } = this.#options;
    const reports = await reapOrphans({
      folder: ledgerFolder(home),
      table,
      signaller,
      clock,
      bootId,
      ownPid,
      onProblem: (message) => this.#notice(message),
    });
    for (const { server, ...detail } of reports) {
      this.#journal.append(server, 'orphan-reaped', detail);
      this.#notice(
        `${server}: ended processes ${detail.pids.join(', ')} that an earlier panel left (${detail.commands.join(', ')})`,
      );
    }
  }

  async #whenGone(name: string): Promise<void> {
    await Promise.all([this.#fleet.whenRemoved(name), this.#sessions.endFurther(name)]);
  }

  async #dispose(): Promise<void> {
    this.#causes.panelQuit();
    this.#settings?.dispose();
    this.#file?.dispose();
    // No session is made any more from here on; the two take their time side by side.
    await Promise.all([this.#sessions.close(), this.#fleet.close()]);
    this.#options.loginPath?.dispose();
    await this.#custody?.close();
    await this.#journal.dispose();
    this.#telemetry.dispose();
    this.#hub.flush();
    this.#hub.dispose();
    this.#options.table.dispose();
  }

  get #openFile(): ServersFile {
    // Set by `open` before anybody gets hold of the panel.
    return this.#file!;
  }

  /** The charts of a server with processes have better figures. */
  #probeAnswered(name: string, rttMs: number): void {
    if (this.#fleet.find(name)?.config.transport !== 'stdio') this.#telemetry.probeAnswered(name, rttMs);
  }

  #configChanged(change: ConfigChange): void {
    const { current, diff } = change;
    this.#hub.configChanged();
    this.#journal.setConfigs(current.servers);
    this.#causes.configChanged(change);
    this.#reports.loaded(current);
    if (this.#isBegun) this.#fleet.apply(current.servers);
    // One that does not start by itself enters no state, and the window would never learn of it.
    for (const name of diff.added) this.#hub.serverChanged(name);
    this.#sessions.apply(current.servers);
    this.#fleetChanges.emit();
  }

  #removed(name: string): void {
    this.#telemetry.forget(name);
    this.#hub.serverRemoved(name);
    this.#fleetChanges.emit();
  }

  #settingsChanged({ settings, error }: LoadedSettings): void {
    if (error) this.#notice(`settings.json: ${error.message}`);
    this.#settingsChanges.emit(settings);
    this.#file?.refresh();
  }

  #stateChanged(server: string, state: ServerView['state']): void {
    const redacted = redactState(state, this.redactText);
    this.#stateChanges.emit({ at: state.since, server, state: redacted });
  }

  #notice(line: string): void {
    this.#notices.emit(this.redactText(line));
  }

  #configStatus(): Snapshot['config'] {
    return this.#reports.status(this.#file?.current.error);
  }

  #view(name: string): ServerView | undefined {
    const supervisor = this.#fleet.find(name);
    return supervisor && this.#viewOf(supervisor);
  }

  #viewOf(supervisor: ServerSupervisor): ServerView {
    const sample = this.#telemetry.latest(supervisor.name);
    return {
      ...redactView(supervisor.view(), this.redactText),
      ...this.#sessions.count(supervisor.name),
      ...(sample && hasFigures(supervisor) && { sample }),
    };
  }
}
