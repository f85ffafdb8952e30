import { join } from 'node:path';
import { Approvals } from '../approval/approvals.ts';
import { DecisionsFile } from '../approval/decisions-file.ts';
import { OwnEndpoint } from '../config/own-endpoint.ts';
import { withSystemDefaults } from '../config/parse-servers.ts';
import { openServersFile, type ConfigChange } from '../config/servers-file.ts';
import { consentPaths } from '../consent/consent-file.ts';
import { openConsents, type Consents } from '../consent/consents.ts';
import { Emitter } from '../emitter.ts';
import { readKeyFile } from '../files/key-file.ts';
import { openClientRegistry } from '../gateway/auth/client-registry.ts';
import { openSessionIds } from '../gateway/auth/session-id.ts';
import { Journal } from '../journal/journal.ts';
import { Notices } from '../notices.ts';
import { LocalEngines } from '../platform/containers/local-engines.ts';
import { figuresOpener } from '../platform/containers/open-figures.ts';
import { SecretNotes } from '../secrets/secret-notes.ts';
import { SecretStore } from '../secrets/secret-store.ts';
import { openSettings, type LoadedSettings } from '../settings/settings-file.ts';
import { ContainerCustody, shortId } from '../supervisor/custody/container-custody.ts';
import { homeLabelOf } from '../platform/containers/engine-labels.ts';
import { openCustody } from '../supervisor/custody/open-custody.ts';
import { openObservedSharing } from '../sessions/sharing/observed.ts';
import { isContainerId } from '../platform/containers/engine-client.ts';
import type { EngineHostOptions } from '../supervisor/host/engine-host.ts';
import type { ControlPanelOptions } from './panel-options.ts';

/** Files that must be read before the panel is built. */
export type OpenedFiles = Awaited<ReturnType<typeof openFiles>>;

/** Opens the files of the home folder and watches them; the caller disposes. */
export async function openFiles(options: ControlPanelOptions) {
  const { home, clock, wallClock, randomBytes } = options;
  const said = await openJournal(options);
  const { journal, notice } = said;
  const configured = await openConfiguration(options, notice);
  const custody = openCustody(options, notice);
  const containers = new ContainerCustody({
    ...options,
    folder: join(home, 'containers'),
    openFigures: options.openFigures ?? figuresOpener(options.clock),
    engines: new LocalEngines({ clock, label: homeLabelOf(home), ...engineNews(journal) }),
  });
  const clientsPath = join(home, 'clients.json');
  const clients = await openClientRegistry({ path: clientsPath, clock, wallClock, randomBytes });
  const sessionIds = await openSessionIds({ home, randomBytes, onProblem: notice });
  if (clients.error) notice(clients.error.message);
  const nameOf = (key: string) => sessionIds.nameOf(key);
  const observedSharing = await openObservedSharing(join(home, 'sharing-lessons.json'), notice, nameOf);
  const secrets = await SecretStore.open({
    ...{ home, wallClock, randomBytes, passphrase: options.secretsPassphrase },
    askKeyring: options.askKeyring ?? noKeyring,
  });
  const secretNotes = await SecretNotes.open(join(home, 'secret-notes.json'));
  // Changes made during the reading already apply. Their secrets must be known before anything is written.
  journal.setConfigs(configured.servers.current.servers);
  return {
    ...said,
    ...configured,
    ...{ custody, containers, secrets, secretNotes },
    /** clients.json: the clients that may use the servers through the gateway. */
    clients,
    /** Ids of client sessions. */
    sessionIds,
    observedSharing,
    /** Calls that wait for the user, and the user's answers that still apply. */
    approvals: await openApprovals(options, said),
  };
}

async function openApprovals(
  { home, clock, wallClock, createToken }: ControlPanelOptions,
  { journal, notice }: Said,
): Promise<Approvals> {
  const known = await readKeyFile(consentPaths(home).key);
  return Approvals.open({
    ...{ clock, wallClock, notice, createId: createToken },
    file: new DecisionsFile(home, known.kind === 'key' ? known.key : undefined),
    redact: (text) => journal.redactOnce(text),
  });
}

const noKeyring = () => Promise.resolve({ kind: 'absent' as const, reason: 'this panel cannot reach it' });

type Said = Awaited<ReturnType<typeof openJournal>>;

/** Opens events and logs, and the output of the panel itself. */
async function openJournal({ home, clock, wallClock, createToken }: ControlPanelOptions) {
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
  return {
    journal,
    /** Receives one sentence for the user, without secrets. */
    notice: (line: string) => tell(journal.redactText(line)),
    notices,
    /** Output of the panel itself. */
    panelOutput,
  };
}

/** Opens settings.json and servers.json. Some defaults of servers.json are in the settings. */
async function openConfiguration(options: ControlPanelOptions, notice: (line: string) => void) {
  const { asksQuestions, home, clock, importEnvironment } = options;
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
    onOwn: (configs, by) => consents.agreeTo(configs, by),
    onRewrite: (before, after) => {
      // An agreed definition stays agreed after a rewrite. A definition without agreement stays without it, even with other
      // values.
      if (before && after && consents.isAgreed(before.name, before)) void consents.agreeTo([after], 'window');
    },
  });
  const consents: Consents = await openConsents(
    {
      ...options,
      consent: options.consent ?? 'ask',
      howToAgree: (name) => (asksQuestions ? 'in the window' : `with --agree ${name}`),
      notice,
    },
    servers.current.servers,
  );
  return {
    ...{ configChanges, servers, serversPath, settings, settingsChanges },
    /** Definitions that the user agreed to run. */
    consents,
    /** Address of the gateway, to which no server may lead back. */
    ownEndpoint,
    /** Emits after servers.json was written, even if its new content is invalid. */
    rewrites,
  };
}

/** Writes the events about container engines, on this machine and elsewhere. */
export const engineNews = (journal: Journal): Pick<EngineHostOptions, 'onAdopted' | 'onBack' | 'onLost'> => ({
  onLost: (engine, reason) => journal.append(null, 'engine-lost', { engine, reason }),
  onBack: (engine, lostMs) => journal.append(null, 'engine-reached', { engine, lostMs }),
  onAdopted: (server, engine, id, { calls = [], generation: formerGeneration }) => {
    const container = isContainerId(id) ? shortId(id) : id;
    journal.append(server, 'adopted', { engine, container, calls, formerGeneration });
  },
});
