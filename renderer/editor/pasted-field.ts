import type { Snippet } from '../../shared/manage.ts';
import { looksLikeCommandLine } from '../../shared/command-line.ts';
import { serverNamePattern } from '../../shared/server-names.ts';
import { labelOf, unanswered } from '../entry/answers.ts';
import { looksLikeSnippet, mayBeServer } from './command-line.ts';
import type { ServerDraft } from './server-draft.ts';

/** Fields into which users paste a whole server: a command line, an address, a package. */
export type OpenField = 'name' | 'command';

/** Maximum characters of a text without a server that is put into a one-line field. */
const LONGEST_LINE = 1000;

/** Whether a text pasted into a field is read as a server, which then fills the form. */
export const readsAsServer = (field: OpenField, draft: ServerDraft, text: string): boolean =>
  isWithoutReach(draft) && mayBeServer(text) && !isPlainValue(field, text);

/** Whether the form has no value yet that a whole server would replace. */
const isWithoutReach = ({ command, args, url, cwd, env, headers }: ServerDraft): boolean =>
  [command, args, url, cwd].every((text) => text === '') && env.length + headers.length === 0;

/** Whether a text is a plain value of its field, even if it looks like a server. */
const isPlainValue = (field: OpenField, text: string): boolean =>
  field === 'name'
    ? serverNamePattern.test(text.trim())
    : !looksLikeSnippet(text) && /^\s*(?:[A-Za-z]:)?[\\/]/.test(text) && !looksLikeCommandLine(text);

/** Whether the text may be just a pasted name, which needs no message. */
export const looksLikeName = (text: string): boolean => /^[\p{L}\p{N}' ._-]{1,64}$/u.test(text.trim());

/** Value of a one-line field after a paste; unchanged if the text is too long. */
export function withPasted(
  value: string,
  selection: readonly [from: number, to: number],
  text: string,
): string {
  if (text.length > LONGEST_LINE) return value;
  const line = text
    .split('\n')
    .map((part) => part.trim())
    .join(' ')
    .trim();
  return value.slice(0, selection[0]) + line + value.slice(selection[1]);
}

/** Message on a server that was taken over, and on what still has to be done. */
export function wordsOnTaken({ name, problem, obstacle, asks = [] }: Snippet['entries'][number]): string {
  const labels = [...new Set(unanswered(asks, {}).map(labelOf))];
  const cannot = obstacle === undefined ? undefined : `It cannot work here: ${obstacle}.`;
  const missing = labels.length > 0 ? `Missing: ${labels.join(', ')}.` : undefined;
  return [`Took over ${name} from what was pasted.`, cannot, missing, problem].filter(Boolean).join(' ');
}
