import type { Snippet } from '../../shared/manage.ts';
import { looksLikeCommandLine } from '../../shared/command-line.ts';
import { serverNamePattern } from '../../shared/server-names.ts';
import { labelOf, unanswered } from '../entry/answers.ts';
import { looksLikeSnippet, mayBeServer } from './command-line.ts';
import type { ServerDraft } from './server-draft.ts';

/** Fields into which people paste a whole server: a command line, an address, a package. */
export type OpenField = 'name' | 'command';

/** Longer texts are not put into a field of one line when they turn out to be no server. */
const LONGEST_LINE = 1000;

/** Whether a text that is pasted into a field is to be read as a server, which fills the form. */
export const readsAsServer = (field: OpenField, draft: ServerDraft, text: string): boolean =>
  isWithoutReach(draft) && mayBeServer(text) && !isPlainValue(field, text);

/** Whether nothing was entered yet that a whole server would replace. */
const isWithoutReach = ({ command, args, url, cwd, env, headers }: ServerDraft): boolean =>
  [command, args, url, cwd].every((text) => text === '') && env.length + headers.length === 0;

/** Whether a text is a value of its field, however much it may look like a server. */
const isPlainValue = (field: OpenField, text: string): boolean =>
  field === 'name'
    ? serverNamePattern.test(text.trim())
    : !looksLikeSnippet(text) && /^\s*(?:[A-Za-z]:)?[\\/]/.test(text) && !looksLikeCommandLine(text);

/** Whether words may be nothing but a name that somebody pastes, of which there is nothing to be said. */
export const looksLikeName = (text: string): boolean => /^[\p{L}\p{N}' ._-]{1,64}$/u.test(text.trim());

/** Value of a field of one line after a text was pasted into it; unchanged where the text is too long for one. */
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

/** Words on a server that was taken over, and on what is still to be done about it. */
export function wordsOnTaken({ name, problem, obstacle, asks = [] }: Snippet['entries'][number]): string {
  const labels = [...new Set(unanswered(asks, {}).map(labelOf))];
  const cannot = obstacle === undefined ? undefined : `It cannot work here: ${obstacle}.`;
  const missing = labels.length > 0 ? `Missing: ${labels.join(', ')}.` : undefined;
  return [`Took over ${name} from what was pasted.`, cannot, missing, problem].filter(Boolean).join(' ');
}
