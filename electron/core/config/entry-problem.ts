import { PanelError } from '../../../shared/error-codes.ts';
import {
  serverEntrySchema,
  serverNameSchema,
  type ParsedServerEntry,
  type ServerEntry,
} from '../../../shared/server-config.ts';
import { LONGEST_SERVER_NAME } from '../../../shared/server-names.ts';
import { valueAt } from '../../../shared/own-value.ts';
import type { IsOwnEndpoint } from './own-endpoint.ts';

/** Problem of one entry, with the path of the wrong field inside the entry. */
interface EntryIssue {
  readonly path: readonly (string | number)[];
  /** Expected value, such as "a whole number" or "one of …"; undefined if the statement needs none. */
  readonly expected?: string;
  readonly found?: string;
  /** Text that follows the path: ": expected …, found …" or " is missing". */
  readonly statement: string;
}

type CheckedEntry =
  | { readonly ok: true; readonly entry: ParsedServerEntry }
  | { readonly ok: false; readonly issues: readonly [EntryIssue, ...EntryIssue[]] };

type Issue = NonNullable<ReturnType<typeof serverEntrySchema.safeParse>['error']>['issues'][number];

/** Checks a server entry of `mcpServers` against the schema. Refuses one that would connect the panel to its own gateway. */
export function checkEntry(value: unknown, isOwnEndpoint: IsOwnEndpoint = () => false): CheckedEntry {
  const result = serverEntrySchema.safeParse(value);
  if (result.success) {
    const path = ownPlaceIn(result.data, isOwnEndpoint);
    return path === undefined
      ? { ok: true, entry: result.data }
      : { ok: false, issues: [{ path, statement: OWN_PANEL }] };
  }
  const [first, ...others] = result.error.issues.map((issue) => toEntryIssue(issue, value));
  if (first === undefined) throw new Error('the entry schema refused a value without naming an issue');
  return { ok: false, issues: [first, ...others] };
}

const OWN_PANEL = ': this is your own panel, expected the command or the address of the server itself';

/** Returns the path of the first field in which an entry refers to the panel's own gateway or contains a token for it. */
export function ownPlaceIn(
  { command, url, args = [], env = {}, headers = {} }: ServerEntry,
  isOwnEndpoint: IsOwnEndpoint,
): EntryIssue['path'] | undefined {
  const places: readonly (readonly [path: EntryIssue['path'], text: string | undefined])[] = [
    [['command'], command],
    [['url'], url],
    ...args.map((text, index) => [['args', index], text] as const),
    ...Object.entries(env).map(([name, text]) => [['env', name], text] as const),
    ...Object.entries(headers).map(([name, text]) => [['headers', name], text] as const),
  ];
  return places.find(([, text]) => text !== undefined && isOwnEndpoint(text))?.[0];
}

/**
 * Checks an entry. @throws CONFIG_INVALID, whose data has `path`, the `field` inside the entry, the `statement` about the
 * field, and, if known, `expected` and `found`
 */
export function requireValidEntry(name: string, entry: unknown, isOwnEndpoint?: IsOwnEndpoint): void {
  if (!serverNameSchema.safeParse(name).success) {
    const statement = `expected 1 to ${LONGEST_SERVER_NAME} letters, digits, dots, underscores or hyphens, found ${JSON.stringify(name)}`;
    throw new PanelError('CONFIG_INVALID', `name: ${statement}`, {
      data: { path: 'name', field: 'name', statement },
    });
  }
  const checked = checkEntry(entry, isOwnEndpoint);
  if (checked.ok) return;
  const [{ path, statement, ...details }] = checked.issues;
  const fullPath = entryPath(name, path);
  throw new PanelError('CONFIG_INVALID', fullPath + statement, {
    data: {
      path: fullPath,
      field: path.join('.'),
      statement: statement.slice(statement.startsWith(':') ? 1 : 0).trim(),
      ...details,
    },
  });
}

/** Returns a path such as `mcpServers.github.panel.limits.maxMemoryMiB`. */
export function entryPath(name: string, path: readonly (string | number)[] = []): string {
  return ['mcpServers', name, ...path].join('.');
}

function toEntryIssue(issue: Issue, entry: unknown): EntryIssue {
  const path = issue.path.map((segment) => (typeof segment === 'number' ? segment : String(segment)));
  if (issue.code === 'invalid_key') return { path, statement: `: ${keyStatement(issue)}` };
  if (issue.code === 'invalid_format') return { path, statement: ` ${issue.message}` };
  if (issue.code === 'custom' && path.length === 1) return { path, statement: ` ${issue.message}` };
  const expected = describeExpected(issue);
  const found = describeFound(valueAt(entry, path), path);
  return { path, expected, found, statement: `: expected ${expected}, found ${found}` };
}

function describeExpected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected);
    case 'too_small':
      return issue.origin === 'string' ? 'a non-empty text' : `at least ${String(issue.minimum)}`;
    case 'too_big':
      return issue.origin === 'number'
        ? `at most ${String(issue.maximum)}`
        : `a length of at most ${String(issue.maximum)}`;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'invalid_union':
      return issue.message === 'Invalid input' ? '"auto", true or false' : issue.message;
    default:
      return issue.message;
  }
}

/**
 * Describes why a key is invalid, with the message of the schema for keys. The key itself is not repeated, because the path of
 * the problem already contains it.
 */
function keyStatement({ issues }: Extract<Issue, { code: 'invalid_key' }>): string {
  return `the name ${issues[0]?.message ?? 'is refused'}`;
}

function describeType(type: string): string {
  if (type === 'int') return 'a whole number';
  if (type === 'boolean') return 'true or false';
  if (type === 'string') return 'a text in quotes';
  if (type === 'record') return 'an object';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/**
 * Describes the found value for an error message. A text is quoted only if it is the `type` or a setting below `panel` other
 * than `arguments`. Any other text is replaced by its kind, because it may be a secret.
 */
function describeFound(value: unknown, path: readonly (string | number)[]): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value !== 'string') return `a ${typeof value}`;
  if (value === '') return 'an empty text';
  const isShown = path[0] === 'type' || (path[0] === 'panel' && path.at(-1) !== 'arguments');
  return isShown ? JSON.stringify(value.slice(0, 60)) : 'a text';
}
