import { isJsonObject } from '../../../../shared/json-object.ts';

type ClientEntry = Readonly<Record<string, unknown>>;

/** Keys under which clients keep the address of a server. */
export const ADDRESS_KEYS = ['url', 'serverUrl', 'server_url', 'httpUrl', 'baseUrl', 'uri'] as const;

/** The address of an entry, whatever its client calls it. */
export const addressOf = (entry: ClientEntry): unknown =>
  ADDRESS_KEYS.map((key) => entry[key]).find((value) => value !== undefined && value !== null);

/**
 * An entry whose connection stands at its top. Cline and Continue keep it below `transport`, older versions of Zed keep the
 * command line below `command`, and Continue keeps headers below `requestOptions`.
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

/** An address that begins with a variable is none until the variable has a value. */
const STAND_IN = 'https://address.invalid/';

/** The entry as it may be checked before its questions are answered. */
export const checkableEntry = <Entry extends ClientEntry>(entry: Entry): Entry =>
  isOpenAddress(entry['url']) ? { ...entry, url: STAND_IN } : entry;

const isOpenAddress = (url: unknown): boolean => typeof url === 'string' && /^\$\{[^${}]{1,200}\}/.test(url);
