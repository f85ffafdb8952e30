import type { ControlPanelApi } from '../shared/ipc-contract.ts';
import { withShownDirection } from './format/text-direction.ts';

/**
 * What is sent back, letter by letter, or edited, or only figures. Whatever shows a text of these makes it readable itself:
 * `toItems` and `toForm` for an offer, `toPlainText` for results and output.
 */
const asSent: ReadonlySet<string> = new Set<keyof ControlPanelApi>([
  'getEntry',
  'getOffer',
  'getPanelFigures',
  'getSettings',
  'getHistory',
  'getOutput',
  'getEarlierOutput',
  'callServer',
  'parseSnippet',
  'findImports',
]);

type AnyFunction = (...args: readonly unknown[]) => unknown;

/** The bridge, with the controls of the writing direction shown in all that it tells: the one place where texts come in. */
export function readableApi(bridge: ControlPanelApi): ControlPanelApi {
  const functions = Object.entries(bridge) as unknown as [name: string, call: AnyFunction][];
  const readable = functions.map(([name, call]) => [
    name,
    name.startsWith('on') ? push(call) : ask(name, call),
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
      return asSent.has(name) ? answer : withShownDirection(answer);
    } catch (reason) {
      // Plain objects, as they come over the bridge.
      throw withShownDirection(reason);
    }
  };
