import { useMemo, useState } from 'react';
import type { StateKind } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { toReport } from '../control-panel.ts';
import { usePanel } from '../store/services.ts';
import type { ManageApi } from './manage-api.ts';
import { problemsOf, toFieldProblem, type Problems } from './model/draft-problems.ts';
import { editedEntry, isEdited, type EditorState } from './model/editor-state.ts';
import type { RawEntry } from './model/raw-entry.ts';
import { effectOf, type SaveEffect } from './model/save-effect.ts';

export interface EditorStart {
  /** What stands in the file under its name; undefined for a server that is added. */
  readonly original: { readonly name: string; readonly entry: RawEntry } | undefined;
  readonly state: EditorState;
}

export interface ServerEditor {
  readonly state: EditorState;
  readonly edit: (change: (state: EditorState) => EditorState) => void;
  /** Those to be shown now. */
  readonly problems: Problems;
  readonly effect: SaveEffect;
  readonly isEdited: boolean;
  readonly isSaving: boolean;
  readonly error: ErrorReport | undefined;
  /** Resolves with the name under which it was saved, or with undefined when it was not. */
  readonly save: () => Promise<string | undefined>;
}

/** Edits one server, from what it was to what is written. */
export function useServerEditor(api: ManageApi, { original, state: first }: EditorStart): ServerEditor {
  const [state, setState] = useState(first);
  const [hasTried, setHasTried] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const [error, setError] = useState<ErrorReport>();
  const names = usePanel((panel) => panel.names);
  const kind = usePanel((panel): StateKind | undefined => panel.servers[original?.name ?? '']?.state.kind);

  const entry = useMemo(() => editedEntry(state), [state]);
  const found = problemsOf(
    state.draft,
    names.filter((name) => name !== original?.name),
  );
  const shown = Object.entries(found).filter(([path]) => hasTried || state.touched.has(path));
  const { name } = state.draft;

  const save = async () => {
    setHasTried(true);
    setError(undefined);
    if (Object.keys(found).length > 0 || state.json?.problem !== undefined) return undefined;
    setIsSaving(true);
    try {
      await api.putServer({ ...entry, name });
      if (original !== undefined && original.name !== name) await api.removeServer(original.name);
      return name;
    } catch (reason) {
      const report = toReport(reason);
      const refused = report.code === 'CONFIG_INVALID' ? toFieldProblem(report.message, name) : undefined;
      if (refused === undefined) setError(report);
      else setState((now) => ({ ...now, refusals: { [refused.path]: refused.words } }));
      return undefined;
    } finally {
      setIsSaving(false);
    }
  };

  return {
    state,
    edit: setState,
    problems: { ...Object.fromEntries(shown), ...state.refusals },
    effect: effectOf({ before: original, after: { name, entry }, state: kind }),
    isEdited: isEdited(first, state),
    isSaving,
    error,
    save,
  };
}
