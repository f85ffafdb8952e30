import { z } from 'zod';
import {
  serverSetSchema,
  tokenScopes,
  toolsOfServerSchema,
  type ServerSet,
  type TokenScope,
} from '../../../../shared/gateway.ts';
import type { FileProblem } from '../../files/file-errors.ts';
import type { FileContent } from '../../files/file-content.ts';
import { isJsonObject } from '../../../../shared/json-object.ts';
import { PanelError } from '../../../../shared/error-codes.ts';

const CLIENTS_VERSION = 1;
/** Content of clients.json before its first client. */
export const NO_CLIENTS = `${JSON.stringify({ version: CLIENTS_VERSION, clients: [] }, null, 2)}\n`;
const LONGEST_CLIENT_NAME = 64;
const CONTROL_CHARACTERS = /\p{C}/u;

/** Name of a client as the user chose it: one line. */
const clientNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_CLIENT_NAME)
  .refine((name) => !CONTROL_CHARACTERS.test(name), 'expected no control characters');

const scopesSchema = z.array(z.enum(tokenScopes)).min(1);

const clientSchema = z.looseObject({
  id: z.string().min(1).max(64),
  name: clientNameSchema,
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits'),
  servers: z.array(z.string()).optional(),
  scopes: scopesSchema.default(['mcp']),
  /** Tools that are hidden from the client. */
  hidden: z.array(toolsOfServerSchema).catch([]),
  /** Creation time and time of the last request, in epoch milliseconds. */
  createdAt: z.number().optional(),
  lastSeenAt: z.number().optional(),
});

const fileSchema = z.looseObject({
  version: z.literal(CLIENTS_VERSION).default(CLIENTS_VERSION),
  clients: z.array(z.unknown()).default([]),
  sets: z.array(z.unknown()).optional(),
});

/** One entry of clients.json. It contains a hash, never the token itself. */
export type ClientEntry = z.output<typeof clientSchema>;
export type ClientsDocument = z.output<typeof fileSchema>;

export type ParsedClients =
  | { readonly kind: 'broken'; readonly problem: FileProblem }
  | {
      readonly kind: 'parsed';
      /** The whole file, including unknown fields and unusable entries. */
      readonly file: ClientsDocument;
      /** The valid entries. */
      readonly entries: readonly ClientEntry[];
      /** The valid sets. */
      readonly sets: readonly ServerSet[];
      /** Reason why some entries are invalid; undefined if all are valid. */
      readonly problem?: FileProblem;
    };

/** Parses clients.json. A missing file has no clients. Never throws. */
export function parseClients(content: FileContent): ParsedClients {
  if (content.kind === 'gone') return parseText(NO_CLIENTS);
  return content.kind === 'text' ? parseText(content.text) : broken(content.reason);
}

function parseText(text: string): ParsedClients {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return broken('it is not JSON');
  }
  const file = fileSchema.safeParse(json);
  if (!file.success) return broken(wordsOf(file.error));
  return {
    kind: 'parsed',
    file: file.data,
    ...entriesOf(file.data.clients),
    sets: setsOf(file.data.sets ?? []),
  };
}

/** Checks each entry separately: an invalid one does not affect the others. */
function entriesOf(raw: readonly unknown[]): { entries: ClientEntry[]; problem?: FileProblem } {
  const entries: ClientEntry[] = [];
  const problems: string[] = [];
  for (const [index, one] of raw.entries()) {
    const entry = clientSchema.safeParse(one);
    if (!entry.success) problems.push(`clients.${index}.${wordsOf(entry.error)}`);
    else if (entries.some(({ id, sha256 }) => id === entry.data.id || sha256 === entry.data.sha256))
      problems.push(`clients.${index}: expected a unique id and token`);
    else entries.push(entry.data);
  }
  return problems.length === 0 ? { entries } : { entries, problem: { message: problems.join('; ') } };
}

/**
 * Returns the valid sets, that is, combinations of several servers under one address. A client that uses the address of an
 * invalid set is told that it does not exist.
 */
function setsOf(raw: readonly unknown[]): ServerSet[] {
  return raw.flatMap((one) => serverSetSchema.safeParse(one).data ?? []);
}

/** Returns an error text without the invalid values, because the user may have put a token there. */
function wordsOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? '' : `${issue.path.join('.')}: ${issue.message}`;
}

function broken(message: string): ParsedClients {
  return { kind: 'broken', problem: { message } };
}

interface NewEntry {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly servers?: readonly string[] | undefined;
  readonly scopes: readonly TokenScope[];
  readonly createdAt: number;
}

/** Returns the file's text with the entry added. @throws CONFIG_INVALID when its name is taken */
export function addClientEntry(file: ClientsDocument, entry: NewEntry): string {
  refuseTakenName(file, entry.name);
  return textOf({ ...file, clients: [...file.clients, entry] });
}

/** Returns the file's text with changed values of one client. @throws CLIENT_UNKNOWN; CONFIG_INVALID when its new name is taken */
export function changeEntry(
  file: ClientsDocument,
  id: string,
  change: Partial<Pick<ClientEntry, 'name' | 'sha256' | 'hidden'>> & {
    servers?: readonly string[] | undefined;
  },
): string {
  requireEntry(file, id);
  if (change.name !== undefined) refuseTakenName(file, change.name, id);
  return textOf(mapEntries(file, (entry) => (entry['id'] === id ? { ...entry, ...change } : entry)));
}

/** Returns the file's text without the client. @throws CLIENT_UNKNOWN */
export function removeClientEntry(file: ClientsDocument, id: string): string {
  requireEntry(file, id);
  return textOf({ ...file, clients: file.clients.filter((entry) => idOf(entry) !== id) });
}

/** Returns the file's text with this set, which replaces a set of the same name. A set without servers is only removed. */
export function changeSets(file: ClientsDocument, set: ServerSet): string {
  const others = (file.sets ?? []).filter((one) => !isJsonObject(one) || one['name'] !== set.name);
  return textOf({ ...file, sets: set.servers.length === 0 ? others : [...others, set] });
}

/** Returns the file's text with new last-seen times, given by client id. */
export function writeSeen(file: ClientsDocument, seenAt: ReadonlyMap<string, number>): string {
  return textOf(
    mapEntries(file, (entry) => {
      const lastSeenAt = seenAt.get(String(entry['id']));
      return lastSeenAt === undefined ? entry : { ...entry, lastSeenAt };
    }),
  );
}

type RawEntry = Readonly<Record<string, unknown>>;

function mapEntries(file: ClientsDocument, map: (entry: RawEntry) => RawEntry): ClientsDocument {
  return { ...file, clients: file.clients.map((entry) => (isJsonObject(entry) ? map(entry) : entry)) };
}

function requireEntry(file: ClientsDocument, id: string): void {
  if (file.clients.some((entry) => idOf(entry) === id)) return;
  throw new PanelError('CLIENT_UNKNOWN', 'There is no such client: it was revoked or never existed.');
}

function refuseTakenName(file: ClientsDocument, name: string, ownId?: string): void {
  const isTaken = file.clients.some(
    (entry) => isJsonObject(entry) && entry['name'] === name && entry['id'] !== ownId,
  );
  if (!isTaken) return;
  throw new PanelError('CONFIG_INVALID', `name: expected one that no other client has, found "${name}"`, {
    data: { field: 'name', statement: 'another client has this name' },
  });
}

function idOf(entry: unknown): unknown {
  return isJsonObject(entry) ? entry['id'] : undefined;
}

function textOf(file: ClientsDocument): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** True if a changed client has the same token and may use the same servers and scopes as before. */
export function isSameReach(one: ClientEntry, other: ClientEntry): boolean {
  const reachOf = ({ sha256, servers, scopes }: ClientEntry) => JSON.stringify([sha256, servers, scopes]);
  return reachOf(one) === reachOf(other);
}

/** Returns the name in the form in which it is stored. @throws PanelError CONFIG_INVALID */
export function checkedName(name: string): string {
  const checked = clientNameSchema.safeParse(name);
  if (checked.success) return checked.data;
  throw new PanelError('CONFIG_INVALID', `name: ${checked.error.issues[0]?.message ?? 'not usable'}`, {
    data: { field: 'name' },
  });
}
