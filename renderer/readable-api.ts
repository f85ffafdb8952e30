import type { ControlPanelApi } from '../shared/ipc-contract.ts';
import { callTexts, pushNames, textNameOf, type Texts } from '../shared/ipc/names.ts';
import { withShownDirection } from './format/text-direction.ts';
import { ownValue } from '../shared/own-value.ts';

const texts: Readonly<Record<string, Texts>> = callTexts;

type AnyFunction = (...args: readonly unknown[]) => unknown;

/**
 * Wraps the preload bridge so that Unicode direction control characters are made visible in all its answers and pushes. This is
 * done here because all texts reach the renderer through the bridge.
 */
export function readableApi(bridge: ControlPanelApi): ControlPanelApi {
  const functions = Object.entries(bridge) as unknown as [name: string, call: AnyFunction][];
  const byName = new Map(functions);
  const readable = functions.map(([name, call]) => [
    name,
    Object.hasOwn(pushNames, name) ? push(call) : ask(name, byName.get(textNameOf(name)) ?? call),
  ]);
  return Object.fromEntries(readable) as ControlPanelApi;
}

const push =
  (subscribe: AnyFunction): AnyFunction =>
  (listener) =>
    subscribe((payload: unknown) => (listener as AnyFunction)(withShownDirection(payload)));

const ask =
  (name: string, call: AnyFunction): AnyFunction =>
  async (...args) => {
    try {
      const answer = await call(...args);
      const kind = ownValue(texts, name);
      // This answer is sent as JSON text, because the bridge would otherwise copy each value of an object separately.
      if (kind === 'json') return JSON.parse(answer as string) as unknown;
      return kind === 'raw' ? answer : withShownDirection(answer);
    } catch (reason) {
      // Rejections that cross the bridge are plain objects, so their texts are made readable in the same way.
      throw withShownDirection(reason);
    }
  };
