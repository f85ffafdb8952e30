import type { CallName, PushName } from './topics.ts';

/**
 * How the page treats the texts of a result.
 * - `readable`: they are made display-safe; bidi controls are replaced by their code.
 * - `raw`: unchanged, because the text is edited, sent back or made display-safe later.
 * - `json`: unchanged, and the whole result is sent to the page as one JSON text, because otherwise each value of an object is
 * copied separately. `readableApi` reads it.
 */
export type Texts = 'readable' | 'raw' | 'json';

/**
 * Treatment of texts for every call, by name. It is here and not in the topics because the preload script and the page read it:
 * the topics would load their schemas, which means 200 kB to parse on every load of the page. A missing call is a compiler
 * error in this file.
 */
export const callTexts: Readonly<Record<CallName, Texts>> = {
  getSnapshot: 'readable',

  startServer: 'readable',
  stopServer: 'readable',
  restartServer: 'readable',
  sleepServer: 'readable',

  getEntry: 'raw',
  putServer: 'readable',
  putServers: 'readable',
  addExamples: 'readable',
  removeServer: 'readable',
  setEnabled: 'readable',
  disputeVerdict: 'readable',
  setLimits: 'readable',
  setHealth: 'readable',
  setSharing: 'readable',
  setSleepAfter: 'readable',
  parseSnippet: 'raw',
  findImports: 'raw',
  testConnection: 'readable',

  findEngines: 'readable',
  getEngines: 'readable',
  getContainerNeeds: 'raw',

  getConsent: 'readable',
  agree: 'readable',
  postpone: 'readable',
  getSecretStore: 'readable',
  listSecrets: 'raw',
  putSecret: 'readable',
  removeSecret: 'readable',
  renameSecret: 'readable',
  setSecretKey: 'readable',
  unlockSecrets: 'readable',
  startSecretsAnew: 'readable',
  listPlainSecrets: 'raw',
  moveToSecrets: 'raw',
  moveBack: 'raw',
  listMissing: 'raw',
  answerMissing: 'readable',

  getChangedTools: 'readable',
  acceptTools: 'readable',
  listApprovals: 'readable',
  answerApproval: 'readable',
  setApproval: 'readable',
  listDecisions: 'readable',
  revokeDecision: 'readable',
  getAudit: 'readable',
  exportAudit: 'raw',

  signIn: 'raw',
  signOut: 'readable',
  setClientId: 'readable',

  getSessions: 'readable',
  evictSession: 'readable',
  getOffer: 'raw',
  getOfferTexts: 'raw',
  callServer: 'json',
  cancelCall: 'readable',

  getHistory: 'raw',
  getCallHistory: 'raw',
  getOutput: 'raw',
  getEarlierOutput: 'raw',

  getSeries: 'raw',
  getCallSeries: 'raw',
  getPastEvents: 'readable',
  getCallUsage: 'readable',
  getHistoryState: 'readable',

  getRestartStory: 'readable',
  getTrend: 'readable',

  getLogPage: 'json',
  findInLog: 'raw',
  getLogContent: 'raw',

  getDiagnostics: 'readable',
  redactReport: 'readable',

  getProcesses: 'readable',
  endProcess: 'readable',

  getSettings: 'raw',
  putSettings: 'readable',

  getAlerts: 'raw',
  putAlertRules: 'readable',
  putAlertChannel: 'readable',
  testAlert: 'readable',

  getGateway: 'readable',
  createClient: 'raw',
  listClients: 'readable',
  revokeClient: 'readable',
  changeClient: 'readable',
  getClientTools: 'raw',
  setTools: 'readable',
  getSets: 'raw',
  putSet: 'readable',
  renewClient: 'raw',

  findClients: 'raw',
  moveServers: 'raw',
  restoreServers: 'raw',
  findBridge: 'raw',

  findLeftBehind: 'readable',
  endLeftBehind: 'readable',

  getUpdateState: 'readable',
  takeUpdateStep: 'readable',

  getPanelFigures: 'raw',
  getSystemState: 'readable',
  getQuitQuestion: 'readable',
  answerQuit: 'readable',
  zoomWindow: 'readable',
  showRowMenu: 'readable',
  saveFile: 'readable',
  copyPicture: 'readable',
};

/** Names of all pushes. As for `callTexts`, the compiler ensures that they match the contract. */
export const pushNames: Readonly<Record<PushName, true>> = {
  onPush: true,
  onCallProgress: true,
  onShellNews: true,
};

/** Returns the IPC channel of a call or push. */
export const channelOf = (name: CallName | PushName): string => `control-panel:${name}`;

/** Returns the name of the bridge function that answers a call of the kind `json` with JSON text; only the page uses it. */
export const textNameOf = (name: string): string => `${name}AsText`;
