import type { ControlPanelApi } from '../../shared/ipc-contract.ts';

/** The calls that managing servers needs. */
export type ManageApi = Pick<
  ControlPanelApi,
  'getEntry' | 'putServer' | 'removeServer' | 'setEnabled' | 'parseSnippet' | 'testConnection' | 'findImports'
>;
