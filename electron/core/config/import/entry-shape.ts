import { isJsonObject } from '../../../../shared/json-object.ts';

type ClientEntry = Readonly<Record<string, unknown>>;

/** Keys under which clients keep the address of a server. */
export const ADDRESS_KEYS = ['url', 'serverUrl', 'server_url', 'httpUrl', 'baseUrl', 'uri'] as const;

/** Returns the address of an entry, whichever key its client uses for it. */
export const addressOf = (entry: ClientEntry): unknown =>
  ADDRESS_KEYS.map((key) => entry[key]).find((value) => value !== undefined && value !== null);

/**
 * Returns an entry with its connection at the top level. Cline and Continue nest it in `transport`, older versions of Zed nest
 * the command line in `command`, and Continue nests headers in `requestOptions`.
 */
export function plainEntry(entry: ClientEntry): ClientEntry {
  const { transport, command, requestOptions, ...rest } = entry;
  const headers = isJsonObject(requestOptions) ? requestOptions['headers'] : undefined;
  return {
    ...rest,
    ...(isJsonObject(transport) ? transport : transport !== undefined && { transport }),
    ...commandLineOf(command),
    ...(isJsonObject(headers) && {
      headers: { ...(isJsonObject(rest['headers']) ? rest['headers'] : {}), ...headers },
    }),
  };
}

function commandLineOf(command: unknown): ClientEntry {
  if (!isJsonObject(command)) return command === undefined ? {} : { command };
  const { path, args, env } = command;
  return { command: path, ...(args !== undefined && { args }), ...(isJsonObject(env) && { env }) };
}

/** Replaces, during validation, an address that begins with a variable, which is invalid until the variable has a value. */
const STAND_IN = 'https://address.invalid/';

/** Returns a copy of the entry that can be validated although the user has not filled in its placeholders yet. */
export const checkableEntry = <Entry extends ClientEntry>(entry: Entry): Entry =>
  isOpenAddress(entry['url']) ? { ...entry, url: STAND_IN } : entry;

const isOpenAddress = (url: unknown): boolean => typeof url === 'string' && /^\$\{[^${}]{1,200}\}/.test(url);
