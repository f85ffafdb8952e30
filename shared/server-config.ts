import { parsedUrl } from './parsed.ts';
import { z } from 'zod';
import { containerRunOf } from './container-run.ts';
import { panelSettingsSchema, workloadPlaceOf, type PanelSettings } from './panel-settings.ts';
import { serverNamePattern } from './server-names.ts';

export const serverNameSchema = z.string().regex(serverNamePattern, {
  error: 'a name has 1 to 64 letters, digits, dots, underscores or hyphens, and is not "." or ".."',
});

const entryTypes = ['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse'] as const;

const noNul = (value: string) => !value.includes('\0');
const plainString = z.string().max(65_536).refine(noNul, { error: 'must not contain a NUL character' });
/** Name of an environment variable that can be passed to a process. For each variable, environ(7) has one string `name=value`. */
const variableName = z.string().regex(/^[^=\0]+$/, { error: 'must not be empty or contain "=" or NUL' });
/** Name of a header: a token of RFC 9110 §5.1. */
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, {
  error: 'must be a header name: letters, digits and hyphens, without spaces or colons',
});
/** Value of a header as defined in RFC 9110 §5.5 and required by `fetch`: Latin-1 without control characters. */
const headerValue = z
  .string()
  .max(65_536)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, {
    error: 'must be one line of Latin characters',
  });
/** Settings for verifying a remote server's certificate. Unknown keys are kept. */
const tlsSchema = z.looseObject({
  verify: z.boolean().optional(),
  caFile: plainString.min(1).optional(),
});

/** Name that zod silently omits from a record. */
const UNHEARD_NAME = '__proto__';

/** Returns the schema of a record that keeps every name, including `__proto__`, and checks all names and values. */
const namedValues = <N extends z.ZodType<string, string>, V extends z.ZodType<string>>(name: N, value: V) => {
  const heard = z.record(name, value);
  return z.custom<Readonly<Record<string, string>>>().transform((given, context) => {
    const unheard = hasUnheard(given) ? value.safeParse(given[UNHEARD_NAME]) : undefined;
    const { data, error } = heard.safeParse(given);
    const issues = [
      ...(error?.issues ?? []),
      ...(unheard?.error?.issues ?? []).map((issue) => ({ ...issue, path: [UNHEARD_NAME, ...issue.path] })),
    ];
    // Issues are passed on unchanged, because the error message is built from their codes.
    context.issues.push(...(issues as z.core.$ZodRawIssue[]));
    if (data === undefined || issues.length > 0) return z.NEVER;
    const all = Object.entries(data);
    if (unheard?.data !== undefined) all.push([UNHEARD_NAME, unheard.data]);
    return Object.fromEntries(all);
  });
};

const hasUnheard = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && Object.hasOwn(given, UNHEARD_NAME);

const httpUrl = z.string().max(8192).refine(isHttpUrl, { error: 'must be an http: or https: URL' });

/** Schema of one entry of `mcpServers`, as written in the file. Unknown keys are kept. */
export const serverEntrySchema = z
  .looseObject({
    type: z.enum(entryTypes).optional(),
    command: plainString.min(1).optional(),
    args: z.array(plainString).max(4096).optional(),
    env: namedValues(variableName, plainString).optional(),
    cwd: plainString.min(1).optional(),
    url: httpUrl.optional(),
    headers: namedValues(headerName, headerValue).optional(),
    tls: tlsSchema.optional(),
    disabled: z.boolean().optional(),
    panel: panelSettingsSchema.optional(),
  })
  .superRefine((entry, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const wantsUrl = entry.type !== undefined && entry.type !== 'stdio';
    if (entry.command === undefined && entry.url === undefined) {
      refuse(
        wantsUrl ? 'url' : 'command',
        wantsUrl ? 'is missing' : 'is missing (or "url" for a remote server)',
      );
    } else if (entry.command !== undefined && entry.url !== undefined) {
      refuse('url', 'is given together with "command": an entry has only one of the two');
    } else if (wantsUrl && entry.url === undefined) {
      refuse('url', `is missing, but "type" is "${entry.type}"`);
    } else if (entry.type === 'stdio' && entry.command === undefined) {
      refuse('command', 'is missing, but "type" is "stdio"');
    }
    const { command = '', args = [], url } = entry;
    const runOn = entry.panel?.runOn;
    const place = workloadPlaceOf(runOn);
    if (place && url === undefined)
      refuse('url', 'is missing, and "runOn" names what runs in a cluster already');
    if (place?.port !== undefined && url?.startsWith('https:'))
      refuse('url', 'must be an http: URL where "runOn" has a "port"');
    // Only the form of the command is checked here. Arguments may be references to secrets, which are resolved at each start,
    // so the options and the image are checked then.
    if (runOn !== undefined && !place && containerRunOf(command, args) === undefined)
      refuse('command', 'needs an image to run on another engine: docker run … IMAGE');
    if (entry.tls !== undefined && entry.command !== undefined && entry.url === undefined)
      refuse('tls', 'is given together with "command": only the certificates of remote servers are checked');
  });

export type ServerEntry = z.input<typeof serverEntrySchema>;
export type ParsedServerEntry = z.output<typeof serverEntrySchema>;

interface ServerConfigBase {
  readonly name: string;
  /** False if the entry says `disabled: true`. The server is then shown, but never started automatically. */
  readonly enabled: boolean;
  readonly panel: PanelSettings;
  /** Tenant or user on whose behalf the server is used. Sessions of different scopes are never shared. */
  readonly scope?: string;
}

export interface StdioServerConfig extends ServerConfigBase {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of the working folder; undefined if the entry has none. */
  readonly cwd?: string;
}

export interface RemoteServerConfig extends ServerConfigBase {
  readonly transport: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls?: TlsConfig;
}

/** Settings for verifying the server's certificate. */
export interface TlsConfig {
  /** False accepts any certificate. Default true. */
  readonly verify?: boolean;
  /** Absolute path of a PEM file with certificates that are trusted in addition to the public ones. */
  readonly caFile?: string;
}

/** Connection and supervision settings of one server. */
export type ServerConfig = StdioServerConfig | RemoteServerConfig;

/**
 * Converts a validated entry to a configuration. @param resolvePath makes a path of the entry (`cwd`, `tls.caFile`) absolute;
 * relative paths start from the folder of the file that contains the entry
 */
export function toServerConfig(
  name: string,
  entry: ParsedServerEntry,
  resolvePath: (path: string) => string,
): ServerConfig {
  const base = {
    name,
    enabled: entry.disabled !== true,
    panel: entry.panel ?? panelSettingsSchema.parse(undefined),
  };
  if (entry.url !== undefined) {
    const transport = entry.type === 'sse' ? 'sse' : 'http';
    const config = { ...base, transport, url: entry.url, headers: entry.headers ?? {} } as const;
    return entry.tls === undefined ? config : { ...config, tls: toTlsConfig(entry.tls, resolvePath) };
  }
  const stdio = { transport: 'stdio' as const, command: entry.command ?? '', args: entry.args ?? [] };
  const config = { ...base, ...stdio, env: entry.env ?? {} };
  return entry.cwd === undefined ? config : { ...config, cwd: resolvePath(entry.cwd) };
}

function toTlsConfig(
  { verify, caFile }: NonNullable<ParsedServerEntry['tls']>,
  resolvePath: (path: string) => string,
): TlsConfig {
  return {
    ...(verify !== undefined && { verify }),
    ...(caFile !== undefined && { caFile: resolvePath(caFile) }),
  };
}

/**
 * Returns the fields that decide which server is reached, and how. The server is restarted only if one of these fields changes.
 */
export function connectionFields(config: ServerConfig): Readonly<Record<string, unknown>> {
  // The field is omitted if it is not set, so that configurations that users accepted earlier remain accepted.
  const runOn = config.panel.runOn && { runOn: config.panel.runOn };
  return config.transport === 'stdio'
    ? {
        transport: 'stdio',
        command: config.command,
        args: config.args,
        env: config.env,
        cwd: config.cwd ?? null,
        ...runOn,
      }
    : {
        transport: config.transport,
        url: config.url,
        headers: config.headers,
        tls: { verify: config.tls?.verify ?? true, caFile: config.tls?.caFile ?? null },
        ...runOn,
      };
}

/**
 * True if the value can be an HTTP URL. Each reference is replaced by a plain word, because its value is known only when the
 * server starts. A value that begins with a reference is accepted.
 */
function isHttpUrl(value: string): boolean {
  if (value.startsWith('${')) return true;
  return /^https?:$/.test(parsedUrl(value.replace(/\$\{[^${}]{1,256}\}/g, 'x'))?.protocol ?? '');
}
