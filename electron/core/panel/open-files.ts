import { join } from 'node:path';
import { OwnEndpoint } from '../config/own-endpoint.ts';
import { withSystemDefaults } from '../config/parse-servers.ts';
import { openServersFile, type ConfigChange, type ServersFile } from '../config/servers-file.ts';
import { Emitter } from '../emitter.ts';
import { openClientRegistry, type ClientRegistry } from '../gateway/auth/client-registry.ts';
import { openSessionIds } from '../gateway/auth/open-session-ids.ts';
import type { SessionIds } from '../gateway/auth/session-id.ts';
import { Journal } from '../journal/journal.ts';
import type { ServerOutput } from '../journal/server-output.ts';
import { Notices } from '../notices.ts';
import { openSettings, type LoadedSettings, type SettingsFile } from '../settings/settings-file.ts';
import { ContainerCustody } from '../supervisor/custody/container-custody.ts';
import { openCustody } from '../supervisor/custody/open-custody.ts';
import type { ProcessCustody } from '../supervisor/custody/process-custody.ts';
import { openObservedSharing, type ObservedSharingFile } from '../sessions/sharing/observed.ts';
import type { ControlPanelOptions } from './panel-options.ts';

/** What has to be read before anything can be built on it. */
export interface OpenedFiles {
  readonly notices: Notices;
  readonly journal: Journal;
  /** What the panel says for itself. */
  readonly panelOutput: ServerOutput;
  readonly settings: SettingsFile;
  readonly settingsChanges: Emitter<LoadedSettings>;
  readonly serversPath: string;
  readonly servers: ServersFile;
  readonly configChanges: Emitter<ConfigChange>;
  /** Where the gateway is, which no server may lead back to. */
  readonly ownEndpoint: OwnEndpoint;
  /** servers.json was written, whatever of it is in force. */
  readonly rewrites: Emitter<void>;
  readonly custody: ProcessCustody;
  readonly containers: ContainerCustody;
  /** clients.json: who may use the servers through the gateway. */
  readonly clients: ClientRegistry;
  /** What the gateway calls the sessions of clients. */
  readonly sessionIds: SessionIds;
  readonly observedSharing: ObservedSharingFile;
  /** One sentence for people, without secrets. */
  readonly notice: (line: string) => void;
}

/** Opens what the home folder keeps. The files are watched from then on; the caller disposes. */
export async function openFiles(options: ControlPanelOptions): Promise<OpenedFiles> {
  const { home, clock, wallClock, randomBytes } = options;
  const said = await openJournal(options);
  const { journal, notice } = said;
  const configured = await openConfiguration(options, notice);
  const custody = openCustody(options, notice);
  const containers = new ContainerCustody({ ...options, folder: join(home, 'containers') });
  const clientsPath = join(home, 'clients.json');
  const clients = await openClientRegistry({ path: clientsPath, clock, wallClock, randomBytes });
  const sessionIds = await openSessionIds({ home, randomBytes, onProblem: notice });
  if (clients.error) notice(clients.error.message);
  const observedSharing = await openObservedSharing(join(home, 'sharing-lessons.json'), notice);
  // What was changed while this was read is in force; the secrets of it are known before anything is written.
  journal.setConfigs(configured.servers.current.servers);
  return { ...said, ...configured, custody, containers, clients, sessionIds, observedSharing };
}

type Said = Pick<OpenedFiles, 'journal' | 'notice' | 'notices' | 'panelOutput'>;

/** Events and logs, and what the panel says for itself. */
async function openJournal({ home, clock, wallClock, createToken }: ControlPanelOptions): Promise<Said> {
  const notices = new Notices();
  const told = new Emitter<string>();
  const tell = (line: string) => {
    told.emit(line);
    notices.emit(line);
  };
  const journal = await Journal.open({
    folder: join(home, 'logs'),
    clock,
    wallClock,
    launchId: createToken().slice(0, 8),
    onProblem: tell,
  });
  const panelOutput = journal.openPanelOutput();
  told.subscribe((line) => panelOutput.say('panel', line));
  return { journal, notice: (line) => tell(journal.redactText(line)), notices, panelOutput };
}

type Configured = Pick<
  OpenedFiles,
  'configChanges' | 'ownEndpoint' | 'rewrites' | 'servers' | 'serversPath' | 'settings' | 'settingsChanges'
>;

/** settings.json, and servers.json, of which some defaults stand in the settings. */
async function openConfiguration(
  { home, clock, importEnvironment }: ControlPanelOptions,
  notice: (line: string) => void,
): Promise<Configured> {
  const settingsChanges = new Emitter<LoadedSettings>();
  const settings = await openSettings({
    path: join(home, 'settings.json'),
    clock,
    onChange: (current) => settingsChanges.emit(current),
  });
  if (settings.current.error) notice(settings.current.error.message);
  const configChanges = new Emitter<ConfigChange>();
  const rewrites = new Emitter<void>();
  const serversPath = join(home, 'servers.json');
  const ownEndpoint = new OwnEndpoint(settings.current.settings.gateway.port);
  const servers = await openServersFile({
    path: serversPath,
    clock,
    isOwnEndpoint: ownEndpoint.isOwn,
    defaults: () => withSystemDefaults(importEnvironment.platform, settings.current.settings.defaults),
    onChange: (change) => configChanges.emit(change),
    onRewritten: () => rewrites.emit(),
  });
  return { configChanges, ownEndpoint, rewrites, servers, serversPath, settings, settingsChanges };
}
