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

/** The opened files and stores of the home folder, which the panel needs before it can be built. */
export type OpenedFiles = Awaited<ReturnType<typeof openFiles>>;

/** Opens the files of the home folder and watches them for changes. The caller must dispose of what is returned. */
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
  // Uses the configuration as it is now, including changes made while the files were read. The journal must know the
  // configuration's secrets before anything is written.
  journal.setConfigs(configured.servers.current.servers);
  return {
    ...said,
    ...configured,
    ...{ custody, containers, secrets, secretNotes },
    /** The clients that may use servers through the gateway, from clients.json. */
    clients,
    /** Creates, decodes and retires the ids of client sessions. */
    sessionIds,
    observedSharing,
    /** Calls that wait for the user's approval, and earlier decisions of the user that still apply. */
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

/** Opens the journal of events, the logs, and the panel's own log. */
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
    /** Shows a sentence to the user in the terminal and writes it to the panel's log, with secrets redacted. */
    notice: (line: string) => tell(journal.redactText(line)),
    notices,
    /** Log that contains the panel's own messages. */
    panelOutput,
  };
}

/** Opens settings.json and servers.json. Settings are opened first, because they contain defaults for servers.json. */
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
      // When the panel rewrites a definition that the user has consented to, the consent carries over to the new one. A
      // definition without consent stays without it, even if its values change.
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
    /** Definitions that the user has consented to run. */
    consents,
    /** Address of the gateway. No server may have this address, because the panel would then connect to itself. */
    ownEndpoint,
    /** Emits after servers.json was rewritten, even if its new content is invalid. */
    rewrites,
  };
}

/** Returns callbacks that write events about container engines, local or remote, to the journal. */
export const engineNews = (journal: Journal): Pick<EngineHostOptions, 'onAdopted' | 'onBack' | 'onLost'> => ({
  onLost: (engine, reason) => journal.append(null, 'engine-lost', { engine, reason }),
  onBack: (engine, lostMs) => journal.append(null, 'engine-reached', { engine, lostMs }),
  onAdopted: (server, engine, id, { calls = [], generation: formerGeneration }) => {
    const container = isContainerId(id) ? shortId(id) : id;
    journal.append(server, 'adopted', { engine, container, calls, formerGeneration });
  },
});
