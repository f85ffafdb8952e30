import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fillAsks } from '../../../../shared/asks.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import { foreignNameProblem } from '../../../../shared/foreign-names.ts';
import type { JsonObject } from '../../../../shared/json-object.ts';
import type { ServerConfig, ServerEntry } from '../../../../shared/server-config.ts';
import { EntryCollector } from '../import/entry-collector.ts';
import { compareServer } from '../import/find-imports.ts';
import type { ImportedEntry } from '../import/import-strategy.ts';
import { checkOnMachine, type ImportMachine } from '../import/machine-check.ts';
import { contextOf } from '../import/read-entries.ts';
import type { ForeignProgram, KeyPath } from '../programs/program.ts';
import type { ForeignServer } from './found-servers.ts';

/** A server to be moved, with answers to what its entry leaves open. */
export interface WantedServer {
  readonly name: string;
  readonly scope: string;
  /** By id of the ask. */
  readonly answers?: Readonly<Record<string, string>> | undefined;
}

/** A server of a program on its way to the panel. */
export interface PlannedServer {
  readonly found: ForeignServer;
  /** Its name in the panel, which is mostly that in the program. */
  readonly panelName: string;
  /** Its entry in servers.json; undefined where the panel has it already. */
  readonly entry: ServerEntry | undefined;
  readonly target: { readonly path: string; readonly keyPath: KeyPath };
  readonly notes: readonly string[];
}

/** What a move changes in one file. */
export interface MoveDifference {
  readonly server: string;
  readonly scope: string;
  readonly path: string;
  readonly before: string;
  /** With a stand-in for the token. */
  readonly after: string;
  readonly notes: readonly string[];
}

export interface PlanOptions {
  readonly program: ForeignProgram;
  readonly servers: readonly ForeignServer[];
  readonly current: readonly ServerConfig[];
  readonly machine: ImportMachine | undefined;
  readonly canStartPrograms: boolean;
}

/** @throws PanelError SERVER_UNKNOWN, CONFIG_INVALID with the reason, CONFIG_CONFLICT where two servers have one name */
export async function planMove(
  wanted: readonly WantedServer[],
  options: PlanOptions,
): Promise<readonly PlannedServer[]> {
  const planned: PlannedServer[] = [];
  for (const one of wanted) {
    const next = await planServer(one, options);
    const twin = planned.find(({ panelName, entry }) => panelName === next.panelName && entry !== undefined);
    if (twin !== undefined && !isDeepStrictEqual(twin.entry, next.entry))
      throw conflict(next.panelName, `${twin.found.scope} and ${next.found.scope}`);
    planned.push(next);
  }
  return planned;
}

async function planServer(
  { name, scope, answers = {} }: WantedServer,
  options: PlanOptions,
): Promise<PlannedServer> {
  const { program, servers, current, machine } = options;
  const found = servers.find((server) => server.name === name && server.scope === scope);
  if (found?.entry === undefined)
    throw new PanelError('SERVER_UNKNOWN', `${program.label} has no server "${name}" in ${scope}.`);
  requireMovable(found, options);
  const imported = importedEntry(found);
  const checked = machine === undefined ? imported : await checkOnMachine(imported, machine);
  const entry: ServerEntry = filled(found, checked, answers);
  const compared = compareServer(checked.name, { ...checked, entry }, current);
  if (compared.status === 'different') throw conflict(checked.name, `servers.json and ${program.label}`);
  const { instead, keyPath } = found.place;
  return {
    found,
    panelName: compared.existingName ?? checked.name,
    entry: compared.status === 'new' ? entry : undefined,
    target: { path: instead?.path ?? found.path, keyPath: [...(instead?.keyPath ?? keyPath), name] },
    notes: [
      ...(instead === undefined
        ? []
        : [`${found.path} belongs to the project and stays: an entry of your own wins over it`]),
      ...(found.shadowedBy === undefined
        ? []
        : [`in ${found.shadowedBy} another entry of this name is used`]),
      ...[checked.problem, checked.obstacle].filter((note) => note !== undefined),
    ],
  };
}

function requireMovable(
  { name, moved, scope, place: { instead } }: ForeignServer,
  { program, servers, canStartPrograms }: PlanOptions,
): void {
  const { label, entry } = program;
  if (moved) throw refused(name, `it leads to this panel already`);
  if (entry === undefined && !canStartPrograms)
    throw refused(name, `${label} starts programs only, and the one that leads to this panel is not here`);
  if (instead !== undefined && servers.some((one) => one.name === name && one.scope === instead.scope))
    throw refused(name, `your own entry of this name is used in its place: move that one`);
  const others = servers.filter((server) => server.scope === scope).map((server) => server.name);
  const problem = foreignNameProblem(program.id, name, others);
  if (problem === undefined) return;
  const effect = problem.effect === 'dropped' ? 'leaves such servers out' : 'calls such servers differently';
  throw refused(name, `${problem.reason}, and ${label} ${effect}`);
}

function importedEntry({ name, entry, place, opened }: ForeignServer): ImportedEntry {
  const collector = new EntryCollector();
  collector.add(name, entry ?? {}, contextOf(place, opened.value), (path, message) => ({
    path: path.join('.'),
    message,
  }));
  const { entries, problems } = collector.build();
  const [imported] = entries;
  if (imported !== undefined) return imported;
  throw refused(name, problems.map(({ path, message }) => [path, message].join(' ').trim()).join('; '));
}

/** Answers come from the user, from this machine, or from the author of the entry. */
function filled(
  { name }: ForeignServer,
  { entry, asks = [] }: ImportedEntry,
  answers: Readonly<Record<string, string>>,
): JsonObject {
  const known = Object.fromEntries(
    asks.flatMap(({ id, found, suggestion, kind }) => {
      const answer = found ?? (kind === 'environment' ? suggestion : undefined);
      return answer === undefined ? [] : [[id, answer]];
    }),
  );
  const all = { ...known, ...answers };
  const open = asks.filter(({ id }) => !Object.hasOwn(all, id));
  if (open.length > 0)
    throw refused(name, `it needs ${open.map(({ label }) => label).join(', ')}, which is not known here`);
  return fillAsks({ entry, asks }, all);
}

const refused = (name: string, reason: string): PanelError =>
  new PanelError('CONFIG_INVALID', `${name} was not moved: ${reason}.`, {
    data: { server: name, reason },
    remedy: 'Nothing was changed: choose other servers, or change what the message names.',
  });

const conflict = (name: string, places: string): PanelError =>
  new PanelError(
    'CONFIG_CONFLICT',
    `${name} is two different servers, in ${places}: say which one is meant.`,
    {
      data: { server: name },
      remedy: 'Nothing was changed: make both entries equal, or rename one of them, then repeat it.',
    },
  );

/** Keys that have nothing to do with the connection; what a user set there stays in force. */
const KEPT_KEYS = [
  ...[
    'alwaysAllow',
    'autoApprove',
    'available_tools',
    'default_tools_approval_mode',
    'description',
    'disabled',
  ],
  ...[
    'disabledTools',
    'disabled_tools',
    'enabled',
    'enabled_tools',
    'excludeTools',
    'includeTools',
    'isActive',
  ],
  ...['startup_timeout_ms', 'startup_timeout_sec', 'timeout', 'tool_timeout_sec', 'tools', 'trust'],
];

/** An entry of ours with what a user set in the one that it replaces. */
export function withKeptKeys(ours: JsonObject, before: JsonObject | undefined): JsonObject {
  const kept = Object.entries(before ?? {}).filter(([key]) => KEPT_KEYS.includes(key));
  const merged = new Map([...Object.entries(ours), ...kept]);
  const [own, theirs] = [ours['timeout'], before?.['timeout']];
  if (typeof own === 'number' && typeof theirs === 'number') merged.set('timeout', Math.max(own, theirs));
  return Object.fromEntries(merged);
}

/** Tells whether the files of a plan hold what was shown. */
export function preconditionOf(planned: readonly PlannedServer[]): string {
  const hash = createHash('sha256');
  for (const text of new Set(planned.map(({ found }) => found.opened.text))) hash.update(text).update('\0');
  for (const { found, panelName, entry, target } of planned)
    hash.update(JSON.stringify([found.name, found.scope, panelName, entry ?? null, target]));
  return hash.digest('hex');
}
