import type { Ask } from '../../shared/asks.ts';
import type { Snippet } from '../../shared/manage.ts';
import { answeredEntry, askedIn, askPath, unanswered, type Answers } from '../entry/answers.ts';
import type { Problems } from '../entry/raw-entry.ts';
import { parseJsonText, toJsonText } from '../entry/entry-json.ts';
import { isSameJson, withKey, type RawEntry } from '../entry/raw-entry.ts';
import type { EditPlace } from '../store/manage-store.ts';
import { draftOf, entryOf, type ServerDraft } from './server-draft.ts';
import { ownValue } from '../../shared/own-value.ts';

/** One server while it is edited, as a form or as text; both show the same entry. */
export interface EditorState {
  readonly draft: ServerDraft;
  /** Entry that the draft is written over. */
  readonly base: RawEntry;
  /** State of the text, present while the entry is edited as text. */
  readonly json: JsonState | undefined;
  /** Paths of the fields that were edited, whose problems are told at once. */
  readonly touched: ReadonlySet<string>;
  /** Refusals by the main process, each until its field is edited. */
  readonly refusals: Problems;
  /** Questions of an entry from elsewhere, whose placeholders stand in the draft, and the answers to them. */
  readonly asks: readonly Ask[];
  readonly answers: Answers;
}

export interface JsonState {
  readonly text: string;
  readonly isRevealed: boolean;
  /** Values behind the masks in the text. */
  readonly behindMasks: RawEntry;
  readonly problem: string | undefined;
}

export const startEditor = (name: string, entry: RawEntry): EditorState => ({
  draft: draftOf(name, entry),
  base: entry,
  json: undefined,
  touched: new Set(),
  refusals: {},
  asks: [],
  answers: {},
});

/** State for another entry in the same view; edits are gone. */
export function startAgain({ json }: EditorState, name: string, entry: RawEntry): EditorState {
  const start = startEditor(name, entry);
  return json === undefined ? start : openJson(start, json.isRevealed);
}

/** Entry as it would be written: the draft with the answers in the places of their placeholders. */
export const editedEntry = ({ draft, base, asks, answers }: EditorState): RawEntry =>
  answeredEntry(entryOf(draft, base), asks, answers);

/** Questions whose placeholders nobody has written over. */
export const openAsks = ({ draft, base, asks }: EditorState): readonly Ask[] =>
  asks.length === 0 ? asks : askedIn(entryOf(draft, base), asks);

/**
 * Problems of the questions that are open, by `askPath`: nothing starts while a value is missing. There are none in the text,
 * where the person sees what stands there.
 */
export const missingAnswers = (state: EditorState): Problems =>
  state.json === undefined
    ? Object.fromEntries(
        unanswered(openAsks(state), state.answers).map((ask) => [askPath(ask), missingWords(ask)]),
      )
    : {};

/** What is missing, and the way out for whoever wants to go without it. */
const missingWords = ({ where }: Ask): string => {
  const part = ownValue({ env: 'variable', header: 'header', args: 'argument' }, where);
  return part === undefined
    ? 'It needs a value.'
    : `It needs a value. To go without it, remove the ${part} below.`;
};

/** State with an entry from elsewhere in the place of the draft. A name that was typed stays. */
export function takeOverFile(
  state: EditorState,
  { name, entry, asks = [] }: Snippet['entries'][number],
  keepsName: boolean,
): EditorState {
  const draft = draftOf(keepsName && state.draft.name !== '' ? state.draft.name : name, entry);
  return { ...state, base: entry, draft, refusals: {}, asks, answers: {} };
}

export const answerAsk = (state: EditorState, ask: string, value: string): EditorState => ({
  ...state,
  answers: { ...state.answers, [ask]: value },
  refusals: {},
});

export const isEdited = (before: EditorState, now: EditorState): boolean =>
  now.json?.problem !== undefined ||
  before.draft.name !== now.draft.name ||
  !isSameJson(editedEntry(before), editedEntry(now));

/** State after an edit of the draft. `path` names the field, for its problems. */
export function editField(state: EditorState, path: string, changes: Partial<ServerDraft>): EditorState {
  return {
    ...state,
    draft: { ...state.draft, ...changes },
    touched: new Set([...state.touched, path]),
    refusals: withKey(state.refusals, path, undefined) as Problems,
  };
}

/** State with what a remedy proposes filled in: another command, rows for variables that are missing. */
export function propose(state: EditorState, at: EditPlace | undefined): EditorState {
  const { command, variables = [] } = at ?? {};
  const { env } = state.draft;
  const missing = variables.filter((name) => !env.some((pair) => pair.name === name));
  if (command === undefined && missing.length === 0) return state;
  const rows = missing.map((name) => ({ name, value: '' }));
  const draft = { ...state.draft, ...(command !== undefined && { command }), env: [...env, ...rows] };
  return { ...state, draft };
}

/** State after an edit of a text below `panel`. */
export const editSetting = (state: EditorState, path: string, text: string): EditorState =>
  editField(state, `panel.${path}`, { panel: { ...state.draft.panel, [path]: text } });

export function openJson(state: EditorState, isRevealed = false): EditorState {
  const entry = editedEntry(state);
  return {
    ...state,
    json: { text: toJsonText(entry, isRevealed), isRevealed, behindMasks: entry, problem: undefined },
  };
}

/**
 * State after an edit of the text, which is kept while it cannot be read; the form then shows what could be
 * read last.
 */
export function editJson(state: EditorState, text: string): EditorState {
  if (state.json === undefined) return state;
  const parsed = parseJsonText(text, state.json.behindMasks);
  if (!parsed.ok) return { ...state, json: { ...state.json, text, problem: parsed.problem } };
  return {
    ...state,
    base: parsed.entry,
    draft: draftOf(state.draft.name, parsed.entry),
    json: { ...state.json, text, problem: undefined },
    refusals: {},
  };
}

/** State back in the form. A text that cannot be read stays open because the form could not show it. */
export const closeJson = (state: EditorState): EditorState =>
  state.json?.problem === undefined ? { ...state, json: undefined } : state;
