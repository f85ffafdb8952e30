import { parsedUrl } from '../../shared/parsed.ts';
import { useMemo, useState } from 'react';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { toReport } from '../control-panel.ts';
import { usePanel, useTask } from '../services.ts';
import type { ManageApi } from '../store/manage-store.ts';
import {
  type EntryOnDisk,
  isSameJson,
  nameProblem,
  type Problems,
  type RawEntry,
} from '../entry/raw-entry.ts';
import { editedEntry, type EditorState, isEdited, missingAnswers, startAgain } from './editor-state.ts';
import { effectOf, type SaveEffect } from './save-effect.ts';
import { useEntry } from './use-entry.ts';
import { changedKeys } from '../entry/shown-entry.ts';
import { settingFields } from '../entry/setting-fields.ts';
import { settingProblem } from '../entry/setting-text.ts';
import type { Pair, ServerDraft } from './server-draft.ts';
import { ownValue } from '../../shared/own-value.ts';

export interface EditorStart {
  /** Entry as found in the file, with its name; undefined for a new server. */
  readonly original: { readonly name: string; readonly entry: RawEntry } | undefined;
  readonly state: EditorState;
}

export interface ServerEditor {
  readonly state: EditorState;
  readonly edit: (change: (state: EditorState) => EditorState) => void;
  /** Problems to show now. */
  readonly problems: Problems;
  readonly effect: SaveEffect;
  readonly isEdited: boolean;
  readonly isSaving: boolean;
  readonly error: ErrorReport | undefined;
  /** Conflict if the entry in the file differs from the edit's base revision. It blocks saving until the user picks a version. */
  readonly conflict: DiskConflict | undefined;
  readonly keepMine: () => void;
  /** Replaces the edit with the entry on disk; must only be called if the entry exists there. */
  readonly loadFromDisk: () => void;
  /** Shows the problems that prevent a test, and returns false if there are any. A test needs no valid name. */
  readonly checkForTest: () => boolean;
  /** Saves the entry. Resolves with the name under which it was saved, or with undefined if it was not saved. */
  readonly save: () => Promise<string | undefined>;
}

/** Keeps the state of the editor of one server, from reading its entry to writing it. */
export function useServerEditor(api: ManageApi, start: EditorStart): ServerEditor {
  /** Base revision of the edit: the state read first, or loaded from disk later. Edits are found by comparing with it. */
  const [first, setFirst] = useState(start.state);
  const [original, setOriginal] = useState(start.original);
  const [state, setState] = useState(first);
  const problems = useProblems(state, start.original?.name);
  const saving = useTask<string | undefined>();
  const isSaving = saving.status?.phase === 'pending';
  const disk = useEntry(api, start.original?.name);
  const editedName = original?.name ?? '';
  const kind = usePanel(({ servers }) => servers.get(editedName)?.state.kind);
  const failure = usePanel(({ servers }) => servers.get(editedName)?.lastError?.code);
  const entry = useMemo(() => editedEntry(state), [state]);
  const { name } = state.draft;
  // No conflict is reported while saving, because the panel's own write also looks like a change of the file.
  const conflict = isSaving || start.original === undefined ? undefined : conflictOf(original?.entry, disk);

  const refused = (report: ErrorReport): boolean => {
    // The file has just changed, so it is read again in order to show the conflict.
    if (report.code === 'CONFIG_CONFLICT') disk.readAgain();
    const problem = toFieldProblem(report);
    if (problem === undefined) return false;
    setState((now) => ({ ...now, refusals: { [problem.path]: problem.words } }));
    return true;
  };

  const save = async () => {
    const isReady = problems.checkForSave();
    saving.reset();
    if (!isReady || conflict !== undefined) return undefined;
    const saved = await saving.run(() => writeEntry(api, { ...entry, name }, original, refused));
    return saved?.phase === 'done' ? saved.value : undefined;
  };

  return {
    state,
    edit: setState,
    problems: problems.shown,
    effect: effectOf({ before: original, after: { name, entry }, state: kind, failure }),
    isEdited: isEdited(first, state),
    isSaving,
    error: saving.status?.phase === 'failed' ? saving.status.error : undefined,
    conflict,
    keepMine: () => {
      saving.reset();
      setOriginal(conflict?.onDisk && { name: start.original?.name ?? name, entry: conflict.onDisk });
    },
    loadFromDisk: () => {
      if (conflict?.onDisk === undefined || start.original === undefined) return;
      const fresh = startAgain(state, start.original.name, conflict.onDisk);
      saving.reset();
      setFirst(fresh);
      setState(fresh);
      setOriginal({ name: start.original.name, entry: conflict.onDisk });
    },
    checkForTest: problems.checkForTest,
    save,
  };
}

/** Writes an entry. Resolves with undefined if `isTaken` is true for an error, because the form then shows it at a field. */
async function writeEntry(
  api: ManageApi,
  entry: RawEntry & { readonly name: string },
  original: EditorStart['original'],
  isTaken: (report: ErrorReport) => boolean,
): Promise<string | undefined> {
  try {
    await api.putServer(entry, { basedOn: original ?? null });
    return entry.name;
  } catch (reason) {
    if (isTaken(toReport(reason))) return undefined;
    throw reason;
  }
}

/** Returns the problems that prevent a test or a save, and which of them are shown now. A test needs no valid name. */
function useProblems(state: EditorState, originalName: string | undefined) {
  const names = usePanel((panel) => panel.names);
  const [tried, setTried] = useState<'nothing' | 'test' | 'save'>('nothing');
  const others = names.filter((name) => name !== originalName);
  const found: Problems = { ...problemsOf(state.draft, others), ...missingAnswers(state) };
  const shown = Object.entries(found).filter(
    ([path]) => tried === 'save' || (tried === 'test' && path !== 'name') || state.touched.has(path),
  );
  const isReadable = state.json?.problem === undefined;
  return {
    shown: { ...Object.fromEntries(shown), ...state.refusals },
    checkForTest: () => {
      setTried((before) => (before === 'save' ? before : 'test'));
      return isReadable && Object.keys(found).every((path) => path === 'name');
    },
    checkForSave: () => {
      setTried('save');
      return isReadable && Object.keys(found).length === 0;
    },
  };
}

interface DiskConflict {
  /** Entry on disk; absent if it has been removed from the file. */
  readonly onDisk?: RawEntry;
  /** Keys that differ from the base revision of the edit. */
  readonly changed: readonly string[];
}

/**
 * Returns the conflict between the file and `base`; undefined if there is none. `base` is absent once the user has accepted
 * that the entry was removed. An unreadable file is not a conflict.
 */
export function conflictOf(
  base: RawEntry | undefined,
  { entry, error }: EntryOnDisk,
): DiskConflict | undefined {
  if (entry !== undefined)
    return isSameJson(base, entry) ? undefined : { onDisk: entry, changed: changedKeys(base ?? {}, entry) };
  return error?.code === 'SERVER_UNKNOWN' && base !== undefined ? { changed: [] } : undefined;
}

/**
 * Returns the problems that can be found without the main process, which checks the draft again on saving.
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
  if (/^https?:$/.test(parsedUrl(text.trim())?.protocol ?? '')) return undefined;
  return 'Expected an address that begins with http:// or https://.';
}

function pairsProblem(pairs: readonly Pair[], noun: string): string | undefined {
  const names = pairs.map(({ name }) => name.trim());
  const nameless = pairs.find(({ name, value }) => name.trim() === '' && value !== '');
  if (nameless !== undefined) return `A ${noun} has a value but no name.`;
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  return twice === undefined ? undefined : `${twice} appears twice.`;
}

/**
 * Returns the form field that a rejection by the main process is about, and the message; undefined if it is not about a field.
 */
export function toFieldProblem({
  code,
  data,
}: ErrorReport): { readonly path: string; readonly words: string } | undefined {
  if (code !== 'CONFIG_INVALID' || !data?.field || data.statement === undefined) return undefined;
  return { path: toFormPath(data.field), words: sentence(data.statement) };
}

/** Converts a path of the entry to a path of the form: `env.TOKEN` and `args.2` become `env` and `args`. */
const toFormPath = (path: string): string =>
  path.startsWith('panel.') ? path : (path.split('.')[0] ?? path);

function sentence(words: string): string {
  const start = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
