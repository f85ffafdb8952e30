import { createStore } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ProcessId } from '../../shared/processes.ts';
import { toReport } from '../control-panel.ts';
import type { EditTarget } from '../format/remedies.ts';
import type { Move } from '../../shared/ipc/topics/programs.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import { formatPlural } from '../format/figures.ts';

export type ManageDialog =
  | { readonly kind: 'add' | 'palette' | 'shortcuts' | 'add-client' | 'secret-store' | 'approval' }
  /** Dialog that asks for the user's agreement. If `server` is undefined, it is about all servers that wait for an agreement. */
  | { readonly kind: 'consent'; readonly server?: string }
  | { readonly kind: 'missing' | 'sign-in' | 'changed-tools' | 'colour'; readonly server: string }
  | { readonly kind: 'renew-client' | 'revoke-client' | 'change-client'; readonly client: string }
  | { readonly kind: 'move'; readonly wanted: readonly WantedMove[] }
  /** `from` names the source of the text if the user did not paste it. */
  | { readonly kind: 'paste'; readonly text: string; readonly from?: string }
  | { readonly kind: 'import' }
  | { readonly kind: 'duplicate'; readonly server: string }
  /** `isMove` is true if the server is moved to another container engine, or back. */
  | { readonly kind: 'contain'; readonly server: string; readonly isMove?: boolean }
  | { readonly kind: 'diagnostics'; readonly server?: string }
  /**
   * `servers` are the servers that are selected at first. By default, these are the servers that have not been used for a week.
   */
  | { readonly kind: 'sleep'; readonly servers?: readonly string[] }
  | { readonly kind: 'remove'; readonly servers: readonly string[] }
  | { readonly kind: 'edit'; readonly server: string; readonly at?: EditPlace }
  | { readonly kind: 'interrupt'; readonly command: Interruption; readonly servers: readonly string[] }
  | {
      readonly kind: 'end-process';
      readonly server: string;
      readonly process: ProcessId;
      readonly command: string;
      /** True if the process is the root of the process tree, which is the process that the panel started. */
      readonly isFirst: boolean;
    };

/** Servers in the configuration of one program that are to be moved to the panel. */
export interface WantedMove extends Pick<Move, 'client' | 'servers'> {
  /** Name of the program. */
  readonly name: string;
  readonly reload: string;
}

/** Part of the form where an edit begins, and values that the form proposes. */
export interface EditPlace {
  readonly target: EditTarget;
  /** Command that is proposed instead of the current one. */
  readonly command?: string;
  /** Names of environment variables for which the form adds an empty row. */
  readonly variables?: readonly string[];
}

/** Command that interrupts the pending calls of a server. */
export type Interruption = 'stop' | 'restart' | 'disable';

export interface DoneManageNote {
  readonly kind: 'done';
  readonly words: string;
  readonly undo?: () => Promise<unknown>;
  /** Further action that the note offers as a button. */
  readonly action?: { readonly label: string; readonly run: () => Promise<void> };
}

/** Note about a completed action whose result no view shows, with an undo if possible; or about a failed action. */
type ManageNote =
  | DoneManageNote
  | { readonly kind: 'failed'; readonly lead: string; readonly server: string; readonly error: ErrorReport };

/** Point in time, with the server and the text of the row in which the user pointed at it. */
export interface Moment {
  readonly at: number;
  readonly server?: string;
  readonly row?: string;
}

/** Menu of a server or of a point in time, and its position in the app window in px. */
export interface OpenedMenu {
  readonly of: { readonly server: string } | Moment;
  readonly box: { readonly right: number; readonly top: number; readonly bottom: number };
}

interface ManageState {
  readonly dialog: ManageDialog | undefined;
  readonly menu: OpenedMenu | undefined;
  readonly note: ManageNote | undefined;
}

/** Dialogs, menus and notes of the app window, and the changes to servers.json that end in a note. */
export class ManageStore {
  readonly state = createStore<ManageState>(() => ({ dialog: undefined, menu: undefined, note: undefined }));
  readonly api: ManageApi;

  constructor(api: ManageApi) {
    this.api = api;
  }

  open(dialog: ManageDialog): void {
    this.state.setState({ dialog, menu: undefined });
  }

  close(): void {
    this.state.setState({ dialog: undefined });
  }

  setMenu(menu: OpenedMenu | undefined): void {
    this.state.setState({ menu });
  }

  setNote(note: ManageNote | undefined): void {
    this.state.setState({ note });
  }

  /** Removes servers, with one note to undo it all. Never rejects: the first failure stops the removal and becomes the note. */
  async remove(servers: readonly string[]): Promise<void> {
    const { api } = this;
    const removed: { readonly name: string }[] = [];
    const undo = async () => {
      for (const entry of removed)
        await this.#attempt(entry.name, 'Could not put back', async () => void (await api.putServer(entry)));
    };
    // The servers are removed one after the other, because each removal is an edit of the same file.
    for (const server of servers) {
      const before = removed.length;
      await this.#attempt(server, 'Could not remove', async () => {
        // The entry is read first so that it can be restored unchanged; a broken file fails both requests.
        const { entry } = await api.getEntry(server);
        await api.removeServer(server);
        removed.push({ ...entry, name: server });
        const words = removed.length === 1 ? server : `${removed.length} servers`;
        return { kind: 'done', words: `Removed ${words} from servers.json.`, undo };
      });
      if (removed.length === before) return;
    }
  }

  /** Replaces an entry with the edited one and shows a note to undo the change. Never rejects: a failure is shown as the note. */
  replace(
    server: string,
    { before, after }: Readonly<Record<'before' | 'after', RawEntry>>,
    words: string,
  ): Promise<void> {
    return this.#attempt(server, 'Could not change', async () => {
      await putOver(this.api, server, before, after);
      return { kind: 'done', words, undo: () => putOver(this.api, server, after, before) };
    });
  }

  /** Enables or disables a server. Never rejects: a failure is shown as the note. */
  setEnabled(server: string, isEnabled: boolean): Promise<void> {
    const lead = isEnabled ? 'Could not enable' : 'Could not disable';
    return this.#attempt(server, lead, async () => void (await this.api.setEnabled(server, isEnabled)));
  }

  async #attempt(server: string, lead: string, action: () => Promise<ManageNote | undefined>): Promise<void> {
    try {
      this.setNote(await action());
    } catch (reason) {
      this.setNote({ kind: 'failed', lead, server, error: toReport(reason) });
    }
  }
}

const putOver = (api: Pick<ManageApi, 'putServer'>, name: string, before: RawEntry, after: RawEntry) =>
  api.putServer({ ...after, name }, { basedOn: { name, entry: { ...before } } });

/** Value in servers.json that looks like a secret. */
export type PlainValue = Awaited<ReturnType<ControlPanelApi['listPlainSecrets']>>[number];

/** Moves values from servers.json to the secret store, with a note that undoes the move. Rejects with the first refusal. */
export async function moveToSecrets(
  { api, manage }: { readonly api: ControlPanelApi; readonly manage: ManageStore },
  wanted: readonly PlainValue[],
): Promise<void> {
  const moves = wanted.map(({ server, place, suggestedName: name }) => ({ server, place, name }));
  const { moved, refused } = await api.moveToSecrets(moves);
  const words = `Moved ${formatPlural(moved.length, 'value')} to secrets.`;
  if (moved.length > 0) manage.setNote({ kind: 'done', words, undo: () => api.moveBack(moved) });
  const [first] = refused;
  if (first !== undefined) throw Object.assign(new Error(first.error.message), first.error);
}

/** API calls for managing servers. */
export type ManageApi = Pick<
  ControlPanelApi,
  | 'getEntry'
  | 'putServer'
  | 'putServers'
  | 'addExamples'
  | 'removeServer'
  | 'setEnabled'
  | 'parseSnippet'
  | 'testConnection'
  | 'findImports'
>;
