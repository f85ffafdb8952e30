import type { ControlPanelApi } from '../../shared/ipc-contract.ts';

/** Calls for managing servers. */
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
