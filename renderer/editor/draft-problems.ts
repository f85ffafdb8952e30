import type { ErrorReport } from '../../shared/error-codes.ts';
import type { Problems } from '../entry/raw-entry.ts';
import { nameProblem } from '../entry/server-name.ts';
import { settingFields } from '../entry/setting-fields.ts';
import { settingProblem } from '../entry/setting-text.ts';
import type { Pair, ServerDraft } from './server-draft.ts';
import { ownValue } from '../../shared/own-value.ts';

/**
 * Problems found without the main process, which checks again on saving.
 * @param takenNames names of the other servers
 */
export function problemsOf(draft: ServerDraft, takenNames: readonly string[]): Problems {
  const found = new Map([['name', nameProblem(draft.name, takenNames)]]);
  if (draft.reach === 'command') {
    if (draft.command.trim() === '') found.set('command', 'Enter a command, for example npx, uvx or a path.');
    found.set('env', pairsProblem(draft.env, 'variable'));
  } else {
    found.set('url', urlProblem(draft.url));
    found.set('headers', pairsProblem(draft.headers, 'header'));
  }
  for (const field of settingFields)
    found.set(`panel.${field.path}`, settingProblem(field, ownValue(draft.panel, field.path) ?? ''));
  return Object.fromEntries(
    [...found].filter((problem): problem is [string, string] => problem[1] !== undefined),
  );
}

function urlProblem(text: string): string | undefined {
  if (text.trim() === '') return "Enter the server's URL, for example https://mcp.example.com/mcp.";
  try {
    if (/^https?:$/.test(new URL(text.trim()).protocol)) return undefined;
  } catch {
    // A URL that does not parse is reported below.
  }
  return 'Expected an address that begins with http:// or https://.';
}

function pairsProblem(pairs: readonly Pair[], noun: string): string | undefined {
  const names = pairs.map(({ name }) => name.trim());
  const nameless = pairs.find(({ name, value }) => name.trim() === '' && value !== '');
  if (nameless !== undefined) return `A ${noun} has a value but no name.`;
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  return twice === undefined ? undefined : `${twice} is there twice.`;
}

/** Form field to which a refusal by the main process belongs, and its message. */
export function toFieldProblem({
  code,
  data,
}: ErrorReport): { readonly path: string; readonly words: string } | undefined {
  if (code !== 'CONFIG_INVALID' || !data?.field || data.statement === undefined) return undefined;
  return { path: toFormPath(data.field), words: sentence(data.statement) };
}

/** Form path for a path of the entry; `env.TOKEN` and `args.2` become `env` and `args`. */
const toFormPath = (path: string): string =>
  path.startsWith('panel.') ? path : (path.split('.')[0] ?? path);

function sentence(words: string): string {
  const start = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
