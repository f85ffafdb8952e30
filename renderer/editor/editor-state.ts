import type { Ask, Snippet } from '../../shared/manage.ts';
import { answeredEntry, askedIn, askPath, unanswered, type Answers } from '../entry/answers.ts';
import type { Problems } from '../entry/raw-entry.ts';
import { parseJsonText, toJsonText } from '../entry/entry-json.ts';
import { isSameJson, withKey, type RawEntry } from '../entry/raw-entry.ts';
import type { EditPlace } from '../store/manage-store.ts';
import { draftOf, entryOf, type ServerDraft } from './server-draft.ts';
import { ownValue } from '../../shared/own-value.ts';

/** State of the editor for one server. The form and the text are two views of the same entry. */
export interface EditorState {
  readonly draft: ServerDraft;
  /** Entry to which the changes of the draft are applied. */
  readonly base: RawEntry;
  /** State of the text; undefined while the entry is edited in the form. */
  readonly json: JsonState | undefined;
  /** Paths of fields that were edited; the problems of these fields are shown immediately. */
  readonly touched: ReadonlySet<string>;
  /** Rejections by the main process, by field path; each is kept until its field is edited. */
  readonly refusals: Problems;
  /** Questions about an imported entry. The draft contains their placeholders, and `answers` the user's answers. */
  readonly asks: readonly Ask[];
  readonly answers: Answers;
}

interface JsonState {
  readonly text: string;
  readonly isRevealed: boolean;
  /** Entry with the real values that are masked in the text. */
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

/** Returns the state for another entry in the same view; edits are discarded. */
export function startAgain({ json }: EditorState, name: string, entry: RawEntry): EditorState {
  const start = startEditor(name, entry);
  return json === undefined ? start : openJson(start, json.isRevealed);
}

/** Returns the entry to be written: the draft, with placeholders replaced by the answers. */
export const editedEntry = ({ draft, base, asks, answers }: EditorState): RawEntry =>
  answeredEntry(entryOf(draft, base), asks, answers);

/** Questions whose placeholders are still in the entry. */
export const openAsks = ({ draft, base, asks }: EditorState): readonly Ask[] =>
  asks.length === 0 ? asks : askedIn(entryOf(draft, base), asks);

/**
 * Problems of the open questions, by `askPath`. They are reported because a server cannot start while a value is missing. The
 * text view has none, because the user sees the placeholders there.
 */
export const missingAnswers = (state: EditorState): Problems =>
  state.json === undefined
    ? Object.fromEntries(
        unanswered(openAsks(state), state.answers).map((ask) => [askPath(ask), missingWords(ask)]),
      )
    : {};

/** Message for a missing value. It says how to do without the value if that is possible. */
const missingWords = ({ where }: Ask): string => {
  const part = ownValue({ env: 'variable', header: 'header', args: 'argument' }, where);
  return part === undefined
    ? 'It needs a value.'
    : `It needs a value. To do without it, remove the ${part} below.`;
};

/** Replaces the draft with an imported entry. If `keepsName` is true, a name that was typed before is kept. */
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

/** Returns the state after an edit of the field at `path`. Its problems are shown from now on, and its rejection is removed. */
export function editField(state: EditorState, path: string, changes: Partial<ServerDraft>): EditorState {
  return {
    ...state,
    draft: { ...state.draft, ...changes },
    touched: new Set([...state.touched, path]),
    refusals: withKey(state.refusals, path, undefined) as Problems,
  };
}

/** Returns the state with the values that a remedy suggests filled in: another command, rows for missing variables. */
export function propose(state: EditorState, at: EditPlace | undefined): EditorState {
  const { command, variables = [] } = at ?? {};
  const { env } = state.draft;
  const missing = variables.filter((name) => !env.some((pair) => pair.name === name));
  if (command === undefined && missing.length === 0) return state;
  const rows = missing.map((name) => ({ name, value: '' }));
  const draft = { ...state.draft, ...(command !== undefined && { command }), env: [...env, ...rows] };
  return { ...state, draft };
}

/** Returns the state after an edit of a setting under the key `panel`. */
export const editSetting = (state: EditorState, path: string, text: string): EditorState =>
  editField(state, `panel.${path}`, { panel: { ...state.draft.panel, [path]: text } });

export function openJson(state: EditorState, isRevealed = false): EditorState {
  const entry = editedEntry(state);
  return {
    ...state,
    json: { text: toJsonText(entry, isRevealed), isRevealed, behindMasks: entry, problem: undefined },
  };
}

/** Returns the state after a text edit. The text is kept even if it does not parse; the form keeps the last parsed values. */
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

/** Returns the state with the form open again. If the text does not parse, the text view stays: the form could not show it. */
export const closeJson = (state: EditorState): EditorState =>
  state.json?.problem === undefined ? { ...state, json: undefined } : state;
