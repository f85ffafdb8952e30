import { createHash } from 'node:crypto';
import { fillAsks } from '../../../../shared/asks.ts';
import type { Ask, ImportedEntry } from '../../../../shared/manage.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import { foreignNameProblem } from '../../../../shared/foreign-names.ts';
import type { LeftServer, Move } from '../../../../shared/ipc/topics/programs.ts';
import { ownValue } from '../../../../shared/own-value.ts';
import {
  connectionFields,
  serverEntrySchema,
  toServerConfig,
  type ServerConfig,
  type ServerEntry,
} from '../../../../shared/server-config.ts';
import { freeName } from '../../../../shared/server-names.ts';
import { EntryCollector } from '../import/entry-collector.ts';
import { checkableEntry } from '../import/entry-shape.ts';
import { compareServer } from '../import/find-imports.ts';
import { checkOnMachine, type ImportMachine } from '../import/machine-check.ts';
import { contextOf } from '../import/read-entries.ts';
import type { ForeignProgram, KeyPath } from '../programs/program.ts';
import type { ForeignServer } from './found-servers.ts';

export type WantedServer = Move['servers'][number];

/** A server that is not moved, with the reason, and with what the user could decide so that it can be moved. */
export interface UnmovedServer extends Omit<LeftServer, 'error'> {
  readonly error: PanelError;
}
type MoveQuestion = Pick<LeftServer, 'asks' | 'twin'>;

/** A server of a program that is planned to move to the panel. */
export interface PlannedServer {
  readonly found: ForeignServer;
  /** Name of the server in the panel, usually the same as in the program. */
  readonly panelName: string;
  /** Entry to add to servers.json; undefined if the panel already has the server. */
  readonly entry: ServerEntry | undefined;
  readonly target: { readonly path: string; readonly keyPath: KeyPath };
  readonly notes: readonly string[];
}

interface PlanOptions {
  readonly program: ForeignProgram;
  readonly servers: readonly ForeignServer[];
  readonly current: readonly ServerConfig[];
  readonly machine: ImportMachine | undefined;
  readonly canStartPrograms: boolean;
}

/** Plans the move of each server in order. A planned server counts as one of the panel's servers for those after it. */
export async function planMove(
  wanted: readonly WantedServer[],
  options: PlanOptions,
): Promise<{ readonly planned: readonly PlannedServer[]; readonly left: readonly UnmovedServer[] }> {
  const planned: PlannedServer[] = [];
  const left: UnmovedServer[] = [];
  let { current } = options;
  for (const one of wanted)
    try {
      const next = await planServer(one, { ...options, current });
      planned.push(next);
      if (next.entry !== undefined) current = [...current, configOf(next.panelName, next.entry)];
    } catch (error) {
      left.push(leftBy(one, error));
    }
  return { planned, left };
}

/** Describes a server that is not moved because of `error`. @throws `error` if it is not a `PanelError` */
export function leftBy({ name, scope }: Pick<WantedServer, 'name' | 'scope'>, error: unknown): UnmovedServer {
  if (!(error instanceof PanelError)) throw error;
  const { asks, twin }: MoveQuestion = error.data ?? {};
  return { name, scope, error, ...(asks && { asks }), ...(twin && { twin }) };
}

const configOf = (name: string, entry: ServerEntry): ServerConfig =>
  toServerConfig(name, serverEntrySchema.parse(checkableEntry(entry)), (cwd) => cwd);

/** @throws PanelError SERVER_UNKNOWN, CONFIG_INVALID with the reason, CONFIG_CONFLICT if two servers have the same name */
async function planServer(wanted: WantedServer, options: PlanOptions): Promise<PlannedServer> {
  const { name, scope } = wanted;
  const { program, servers } = options;
  const found = servers.find((server) => server.name === name && server.scope === scope);
  if (found === undefined)
    throw new PanelError('SERVER_UNKNOWN', `${program.label} has no server "${name}" in ${scope}.`);
  requireMovable(found, options);
  const { notes, ...own } = await definitionOf(found, wanted, options);
  const { instead, keyPath } = found.place;
  return {
    found,
    ...own,
    target: { path: instead?.path ?? found.path, keyPath: [...(instead?.keyPath ?? keyPath), name] },
    notes: [
      ...(instead === undefined
        ? []
        : [
            `${found.path} belongs to the project and is not moved: an entry of your own takes precedence over it`,
          ]),
      ...(found.shadowedBy === undefined
        ? []
        : [`in ${found.shadowedBy} another entry of this name is used`]),
      ...notes,
    ],
  };
}

/** Returns the server of the panel that replaces a program's server: an existing one, or the program's own entry. */
async function definitionOf(
  found: ForeignServer,
  { answers = {}, as, use }: WantedServer,
  { program, current, machine }: PlanOptions,
): Promise<Pick<PlannedServer, 'panelName' | 'entry' | 'notes'>> {
  const { removed } = found;
  const imported = removed === undefined ? importedEntry(found) : undefined;
  const name = removed?.server ?? as ?? imported?.name ?? found.name;
  const here = current.find((server) => server.name === name);
  if (imported === undefined || use === 'panel') {
    if (here === undefined) throw refused(found.name, `the panel no longer has a server ${name}`);
    return { panelName: name, entry: undefined, notes: [`${name} stays as it is in the panel`] };
  }
  const checked = machine === undefined ? imported : await checkOnMachine(imported, machine);
  const { entry, open } = filled(checked, answers);
  const { status, existingName } = compareServer(name, { ...checked, entry }, current);
  const twin = status === 'different' ? twinOf(configOf(name, entry), current) : undefined;
  if (open.length > 0) throw unanswered(found.name, open, twin);
  if (twin !== undefined) throw conflict(name, `servers.json and ${program.label}`, { twin });
  const panelName = existingName ?? name;
  return {
    panelName,
    entry: status === 'new' ? entry : undefined,
    notes: [
      ...(as === undefined ? [] : [`in the panel it is ${panelName}`]),
      ...[checked.problem, checked.obstacle].filter((note) => note !== undefined),
    ],
  };
}

function twinOf(there: ServerConfig, current: readonly ServerConfig[]): MoveQuestion['twin'] {
  const text = (server: ServerConfig) => JSON.stringify(connectionFields(server), null, 2);
  const names = current.map(({ name }) => name);
  const here = current.find(({ name }) => name === there.name);
  return here && { freeName: freeName(there.name, names), here: text(here), there: text(there) };
}

function requireMovable(
  { name, moved, scope, place: { instead } }: ForeignServer,
  { program, servers, canStartPrograms }: PlanOptions,
): void {
  const { label, entry } = program;
  if (moved) throw refused(name, `it already leads to this panel`);
  if (entry === undefined && !canStartPrograms)
    throw refused(
      name,
      `${label} can only start programs, and the program that connects to this panel is not here`,
    );
  if (instead !== undefined && servers.some((one) => one.name === name && one.scope === instead.scope))
    throw refused(name, `your own entry of this name takes precedence: move that one`);
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

/**
 * Returns the entry with its placeholders filled in: by the user's answers, by values from this machine, or by defaults of the
 * entry's author. `open` contains the questions that still have no answer.
 */
function filled(
  { entry, asks = [] }: ImportedEntry,
  answers: Readonly<Record<string, string>>,
): { readonly entry: ServerEntry; readonly open: readonly Ask[] } {
  const known = asks.map((ask) => {
    const { id, found, suggestion, kind } = ask;
    const answer = ownValue(answers, id) ?? found ?? (kind === 'environment' ? suggestion : undefined) ?? '';
    return { ask, answer };
  });
  return {
    entry: fillAsks({ entry, asks }, Object.fromEntries(known.map(({ ask, answer }) => [ask.id, answer]))),
    open: known.flatMap(({ ask, answer }) => (answer.trim() === '' ? [ask] : [])),
  };
}

const unanswered = (name: string, asks: readonly Ask[], twin: MoveQuestion['twin']): PanelError =>
  refused(name, `it needs ${asks.map(({ label }) => label).join(', ')}, which is not known here`, {
    asks,
    ...(twin && { twin }),
  });

const refused = (name: string, reason: string, question: MoveQuestion = {}): PanelError =>
  new PanelError('CONFIG_INVALID', `${name} was not moved: ${reason}.`, {
    data: { server: name, reason, ...question },
    remedy: 'Nothing was changed: choose other servers, or change what the message names.',
  });

const conflict = (name: string, places: string, question: MoveQuestion): PanelError =>
  new PanelError('CONFIG_CONFLICT', `${name} is two different servers, in ${places}: choose one.`, {
    data: { server: name, ...question },
    remedy: 'Nothing was changed: make both entries equal, or rename one of them, then try again.',
  });

/** Returns a hash of the plan and of the files' content. If it is the same as in the preview, nothing has changed since. */
export function preconditionOf(planned: readonly PlannedServer[]): string {
  const hash = createHash('sha256');
  for (const text of new Set(planned.map(({ found }) => found.opened.text))) hash.update(text).update('\0');
  for (const { found, panelName, entry, target } of planned)
    hash.update(JSON.stringify([found.name, found.scope, panelName, entry ?? null, target]));
  return hash.digest('hex');
}
