import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { PanelError } from '../../../shared/error-codes.ts';
import type { StdioServerConfig } from '../../../shared/server-config.ts';
import { consentRequired, readConsents } from '../consent/consent-file.ts';
import { digestOf } from '../consent/definition.ts';
import { parseServersContent } from '../config/servers-file.ts';
import { withSystemDefaults } from '../config/parse-servers.ts';
import { readContent } from '../files/file-content.ts';
import { readBootId } from '../platform/boot-id.ts';
import { RUN_MARKER_NAME, variableOf } from '../platform/child-environment.ts';
import { spawnDeathPipeWatcher } from '../platform/death-pipe.ts';
import { findPrlimit, markingSpawner } from '../platform/marking-spawner.ts';
import { OwnedProcess } from '../platform/owned-process.ts';
import { openProcessSystem, type ProcessSystem } from '../platform/process-system.ts';
import { runCommand } from '../platform/run-command.ts';
import { signallerForPlatform } from '../platform/signals.ts';
import { spawnChild } from '../platform/spawner.ts';
import { systemClock as clock } from '../platform/system-clock.ts';
import { resolveReferences } from '../secrets/resolve-config.ts';
import { SecretNotes } from '../secrets/secret-notes.ts';
import { parseSettings } from '../settings/parse-settings.ts';
import { bridgeLedgerHome, ledgerFolder, openCustody } from '../supervisor/custody/open-custody.ts';
import { reapOrphans } from '../supervisor/custody/orphan-reaper.ts';
import type { ProcessCustody } from '../supervisor/custody/process-custody.ts';
import { LimitGuard } from '../supervisor/limits/limit-guard.ts';
import { limitSampleOf } from '../supervisor/limits/limited-tree.ts';
import { spawnRequestOf } from '../supervisor/run/spawn-request.ts';
import { TelemetrySampler } from '../telemetry/sampler.ts';
import {
  linesOf,
  MAX_LINE,
  messagesIn,
  type Delivery,
  type Line,
  type Link,
  type LinkEvents,
} from '../gateway-client/wire.ts';

export interface OwnServerOptions {
  readonly home: string;
  readonly server: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly events: LinkEvents;
  readonly say: (words: string) => void;
  readonly onStderr: (part: Buffer) => void;
}

const SAMPLE_MS = 1000;
const createToken = () => randomBytes(16).toString('hex');
const signaller = signallerForPlatform(process.platform);

/**
 * Starts a server of servers.json for one client while the panel is not running. The same limits apply as in the panel, and the
 * process is recorded in a ledger, so that it is ended even if the bridge dies. @throws PanelError
 */
export async function startOwnServer(options: OwnServerOptions): Promise<Link> {
  const { home, server, env, say } = options;
  // If this variable is set, the bridge was started by a server that a panel or another bridge had started. If the server to be
  // started were the same one, it would start itself endlessly.
  if (env[RUN_MARKER_NAME] !== undefined)
    throw new PanelError(
      'CONFIG_INVALID',
      `${server} is not started from inside a server, because it may be that server.`,
    );
  const written = await readConfig(home, server);
  const config = await resolved(written, options, await requireConsent(home, written));
  const [bootId, system] = await Promise.all([
    readBootId(),
    openProcessSystem({ clock, platform: process.platform }),
  ]);
  const custody = await openOwnCustody(home, system, bootId, say);
  const marker = createToken();
  const request = await spawnRequestOf(config, { parent: env, home: homedir() }, marker);
  const takeBack = await custody.announce({ server, generation: 1, marker });
  const { table, holding } = system;
  const spawner = markingSpawner(holding(spawnChild), () => findPrlimit(runCommand));
  try {
    const owned = await OwnedProcess.spawn({ table, signaller, clock, spawner }, request, marker);
    return new OwnServer({ ...options, config, custody, owned, table });
  } catch (error) {
    takeBack();
    await custody.close();
    throw error;
  }
}

interface Parts extends OwnServerOptions, Pick<ProcessSystem, 'table'> {
  readonly config: StdioServerConfig;
  readonly custody: ProcessCustody;
  readonly owned: OwnedProcess;
}

/** One run of the server as a process of the bridge. */
class OwnServer implements Link {
  readonly kind = 'own';
  isGreeted = false;
  readonly #parts: Parts;
  readonly #sampler: TelemetrySampler;
  readonly #limits: LimitGuard;
  readonly #output = new PassThrough();
  #ending: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { config, owned, say, server, table } = parts;
    this.#limits = new LimitGuard({
      clock,
      server,
      settings: () => config.panel.limits,
      awaitedCalls: () => 0,
      logEvent: () => undefined,
      onAct: (_, error) => {
        say(error.message);
        void this.#end(() => owned.kill(), error.message);
      },
    });
    this.#sampler = new TelemetrySampler({
      table,
      clock,
      wallClock: clock,
      targets: () => (owned.hasExited ? [] : [{ key: server, pid: owned.pid }]),
      intervalMs: () => SAMPLE_MS,
      onTick: (samples) => {
        for (const tree of samples.values()) {
          owned.remember(tree.readings);
          this.#limits.sampled(limitSampleOf(tree));
        }
        this.#record();
      },
      onError: () => undefined,
    });
    this.#record();
    this.#sampler.poke();
    owned.stdin.on('error', () => undefined);
    owned.readStderr({ onPart: parts.onStderr });
    owned.readStdout({ onPart: (part) => this.#output.write(part) });
    // `drained` is awaited rather than the end of the output, because a process that the server left behind may keep the pipe
    // open.
    void owned.drained.then(() => this.#output.end());
    void this.#readAll();
  }

  send({ text }: Line): Promise<Delivery> {
    const { stdin } = this.#parts.owned;
    if (this.#ending || !stdin.writable) return Promise.resolve('unsent');
    return new Promise((resolve) => stdin.write(`${text}\n`, (error) => resolve(error ? 'lost' : 'taken')));
  }

  close(): Promise<void> {
    const { config, owned } = this.#parts;
    return this.#end(() => owned.end(config.panel), undefined);
  }

  async #readAll(): Promise<void> {
    const { events, owned, say, server } = this.#parts;
    try {
      for await (const text of linesOf(this.#output, MAX_LINE)) {
        const lines = messagesIn(text);
        if (!lines && text.trim() !== '')
          say(`${server} wrote a line that is not a message: ${text.slice(0, 200)}`);
        for (const line of lines ?? []) await events.onLine(line);
      }
    } catch {
      // The pipe broke. The reason is reported when the process ends.
    }
    const { stopGraceMs, killGraceMs } = this.#parts.config.panel;
    await this.#end(
      () => owned.end({ stopGraceMs: Math.min(stopGraceMs, SAMPLE_MS), killGraceMs }),
      'The server has ended.',
    );
  }

  /** @param why reason to report to the client; undefined if the client itself requested the end */
  #end(end: () => Promise<unknown>, why: string | undefined): Promise<void> {
    this.#ending ??= this.#endOnce(end);
    if (why !== undefined) this.#parts.events.onEnd(why);
    return this.#ending;
  }

  async #endOnce(end: () => Promise<unknown>): Promise<void> {
    const { custody, owned, say, table } = this.#parts;
    this.#sampler.dispose();
    try {
      await end();
      custody.forget(owned.record);
    } catch (error) {
      say(String(error));
    }
    await custody.close();
    table.dispose();
  }

  #record(): void {
    const { custody, owned, server } = this.#parts;
    custody.record({ server, generation: 1, ...owned.record });
  }
}

/** Returns the definition of the server. @throws PanelError if the bridge cannot start it */
async function readConfig(home: string, server: string): Promise<StdioServerConfig> {
  const path = join(home, 'servers.json');
  const [servers, settings] = await Promise.all([
    readContent(path),
    readContent(join(home, 'settings.json')),
  ]);
  const read = parseSettings(settings.kind === 'text' ? settings.text : '{}');
  const defaults = withSystemDefaults(process.platform, read.kind === 'parsed' ? read.settings.defaults : {});
  const parsed = parseServersContent(path, servers, defaults);
  if (parsed.kind === 'broken') throw new PanelError('CONFIG_BROKEN', parsed.problem.message);
  const entry = parsed.entries.find(({ name }) => name === server);
  if (!entry) throw new PanelError('SERVER_UNKNOWN', `There is no server "${server}" in ${path}.`);
  if ('problem' in entry) throw new PanelError('CONFIG_INVALID', entry.problem.message);
  const { config } = entry;
  if (config.transport !== 'stdio')
    throw new PanelError('UNREACHABLE', `${server} is a remote server: start MCP Control Panel to use it.`);
  if (config.panel.runOn)
    throw new PanelError(
      'UNREACHABLE',
      `${server} runs on another engine: start MCP Control Panel to use it.`,
    );
  if (!config.enabled) throw new PanelError('STOPPED', `${server} is disabled in MCP Control Panel.`);
  const { ask, tools = {} } = config.panel.approval;
  if (ask !== 'never' || Object.values(tools).includes(true))
    throw new PanelError(
      'APPROVAL_REFUSED',
      `${server} needs the approval of the user before its tools run: start MCP Control Panel to use it.`,
    );
  return config;
}

/**
 * Checks that the user has agreed to the definition of the server. Returns true if the definition ran before the panel ever
 * asked for consent. A text in it that looks like a placeholder, but has no value, is then used literally.
 * @throws PanelError CONSENT_REQUIRED if the user has not agreed to this definition
 */
async function requireConsent(home: string, config: StdioServerConfig): Promise<boolean> {
  const found = await readConsents(home);
  if (found.kind === 'none') return true;
  const { name } = config;
  const digest = found.kind === 'read' ? digestOf(config, found.key) : undefined;
  const consent =
    found.kind === 'read'
      ? found.content.consents.find((one) => one.name === name && one.digest === digest)
      : undefined;
  if (consent === undefined) throw consentRequired(name);
  return consent.by === 'first-use';
}

/**
 * Replaces placeholders with values from the environment. The keyring is not read here, so secrets require the panel.
 * @throws PanelError SECRET_MISSING
 */
async function resolved(
  config: StdioServerConfig,
  { home, env }: Pick<OwnServerOptions, 'home' | 'env'>,
  isOfFirstUse: boolean,
): Promise<StdioServerConfig> {
  const notes = await SecretNotes.open(join(home, 'secret-notes.json'));
  const { config: found, missing } = resolveReferences(config, {
    secret: () => undefined,
    variable: (name) => variableOf(env, name, process.platform),
    isMeant: ({ kind, text }) => kind !== 'secret' && (isOfFirstUse || notes.isKept(config.name, text)),
  });
  if (missing.length === 0) return found;
  const names = [...new Set(missing.map(({ reference }) => reference.text))];
  throw new PanelError('SECRET_MISSING', `${config.name} needs ${names.join(', ')}.`, {
    data: { missing: names },
    remedy: 'Start MCP Control Panel, which keeps the secrets and asks for missing values.',
  });
}

/**
 * Opens the ledger in which the bridge records its server process, so that the process is ended if the bridge dies. It is not
 * the panel's ledger, because a bridge is not a second panel.
 */
async function openOwnCustody(
  home: string,
  { table }: ProcessSystem,
  bootId: string | undefined,
  say: (words: string) => void,
): Promise<ProcessCustody> {
  const own = { home: bridgeLedgerHome(home), clock, table, ownPid: process.pid, bootId, createToken };
  await reapOrphans({ ...own, folder: ledgerFolder(own.home), signaller, onProblem: say });
  const watcher = process.platform === 'win32' ? undefined : () => spawnDeathPipeWatcher();
  const custody = openCustody({ ...own, spawnDeathPipeWatcher: watcher }, say);
  await custody.ready();
  return custody;
}
