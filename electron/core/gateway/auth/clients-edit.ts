import { isJsonObject } from '../../../../shared/json-object.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { TokenScope } from '../../../../shared/gateway.ts';
import type { ClientsFile } from './clients-form.ts';

export interface NewEntry {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly servers?: readonly string[] | undefined;
  readonly scopes: readonly TokenScope[];
  readonly createdAt: number;
}

/** The text of the file with one client more. @throws CONFIG_INVALID where its name is taken */
export function addEntry(file: ClientsFile, entry: NewEntry): string {
  refuseTakenName(file, entry.name);
  return textOf({ ...file, clients: [...file.clients, entry] });
}

/** The text with other values of a client. @throws CLIENT_UNKNOWN; CONFIG_INVALID where its new name is taken */
export function changeEntry(
  file: ClientsFile,
  id: string,
  change: { name?: string; sha256?: string },
): string {
  requireEntry(file, id);
  if (change.name !== undefined) refuseTakenName(file, change.name, id);
  return textOf(mapEntries(file, (entry) => (entry['id'] === id ? { ...entry, ...change } : entry)));
}

/** The text without a client. @throws CLIENT_UNKNOWN */
export function removeEntry(file: ClientsFile, id: string): string {
  requireEntry(file, id);
  return textOf({ ...file, clients: file.clients.filter((entry) => idOf(entry) !== id) });
}

/** The text with the times, by id, at which clients were last seen. */
export function writeSeen(file: ClientsFile, seenAt: ReadonlyMap<string, number>): string {
  return textOf(
    mapEntries(file, (entry) => {
      const lastSeenAt = seenAt.get(String(entry['id']));
      return lastSeenAt === undefined ? entry : { ...entry, lastSeenAt };
    }),
  );
}

type RawEntry = Readonly<Record<string, unknown>>;

function mapEntries(file: ClientsFile, map: (entry: RawEntry) => RawEntry): ClientsFile {
  return { ...file, clients: file.clients.map((entry) => (isJsonObject(entry) ? map(entry) : entry)) };
}

function requireEntry(file: ClientsFile, id: string): void {
  if (file.clients.some((entry) => idOf(entry) === id)) return;
  throw new PanelError('CLIENT_UNKNOWN', 'There is no such client: it was revoked, or never there.');
}

function refuseTakenName(file: ClientsFile, name: string, ownId?: string): void {
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

function textOf(file: ClientsFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}
