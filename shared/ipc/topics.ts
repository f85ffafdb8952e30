import { callProgressSchema, pushSchema } from '../domain.ts';
import { shellNewsSchema } from '../shell-news.ts';
import type { CallAnswers } from './call.ts';
import { alertsCalls } from './topics/alerts.ts';
import { appCalls } from './topics/app.ts';
import { approvalsCalls } from './topics/approvals.ts';
import { consentCalls } from './topics/consent.ts';
import { diagnosticsCalls } from './topics/diagnostics.ts';
import { enginesCalls } from './topics/engines.ts';
import { entriesCalls } from './topics/entries.ts';
import { gatewayCalls } from './topics/gateway.ts';
import { historyCalls } from './topics/history.ts';
import { leftBehindCalls } from './topics/left-behind.ts';
import { logsCalls } from './topics/logs.ts';
import { offeredToolsCalls } from './topics/offered-tools.ts';
import { outputCalls } from './topics/output.ts';
import { panelCalls } from './topics/panel.ts';
import { processesCalls } from './topics/processes.ts';
import { programsCalls } from './topics/programs.ts';
import { secretsCalls } from './topics/secrets.ts';
import { serversCalls } from './topics/servers.ts';
import { sessionsCalls } from './topics/sessions.ts';
import { signInCalls } from './topics/sign-in.ts';
import { storyCalls } from './topics/story.ts';
import { settingsCalls } from './topics/settings.ts';
import { updatesCalls } from './topics/updates.ts';

/**
 * All calls from the renderer to the main process, by topic. A key within a topic is the function's name on
 * `window.controlPanel`. Main process, preload script and renderer derive everything from this object, so that no channel name
 * is written anywhere else.
 */
export const topics = {
  panel: panelCalls,
  servers: serversCalls,
  entries: entriesCalls,
  engines: enginesCalls,
  consent: consentCalls,
  approvals: approvalsCalls,
  offeredTools: offeredToolsCalls,
  secrets: secretsCalls,
  signIn: signInCalls,
  sessions: sessionsCalls,
  output: outputCalls,
  history: historyCalls,
  story: storyCalls,
  logs: logsCalls,
  diagnostics: diagnosticsCalls,
  processes: processesCalls,
  settings: settingsCalls,
  alerts: alertsCalls,
  gateway: gatewayCalls,
  programs: programsCalls,
  leftBehind: leftBehindCalls,
  updates: updatesCalls,
  app: appCalls,
} as const;

/** Messages from the main process to the renderer. */
export const pushes = {
  /** Changes of the state: figures are sent with each tick, all other changes immediately. */
  onPush: pushSchema,
  /**
   * Progress of a call made with `callServer`, sent before its outcome. If progress is fast, only the latest progress is sent.
   */
  onCallProgress: callProgressSchema,
  /** News of the app outside the panel's core: see `shellNewsSchema`. */
  onShellNews: shellNewsSchema,
} as const;

type Topics = typeof topics;
export type TopicName = keyof Topics;
export type CallName = { [T in TopicName]: keyof Topics[T] }[TopicName];
export type PushName = keyof typeof pushes;

type CallOf<N extends CallName> = {
  [T in TopicName]: N extends keyof Topics[T] ? Topics[T][N] : never;
}[TopicName];
export type Calls = { readonly [N in CallName]: CallOf<N> };

/** Calls by name. */
export const calls = Object.fromEntries(
  Object.values(topics).flatMap((topic) => Object.entries(topic)),
) as unknown as Calls;

/** Objects that answer all calls, one object per topic. */
export type Answerers = { readonly [T in TopicName]: CallAnswers<Topics[T]> };
