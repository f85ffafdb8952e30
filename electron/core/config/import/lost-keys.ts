import { ownValue } from '../../../../shared/own-value.ts';

/** Messages about keys of other clients that matter and have no counterpart here. */
const lostKeys: Readonly<Record<string, string>> = {
  envFile: 'envFile is not read here: put its variables into env',
  headersHelper: 'headersHelper is not run here: put the headers into headers',
  oauth: 'the sign-in settings (oauth) are not taken over',
  auth: 'the sign-in settings (auth) are not taken over',
  authProviderType: 'the sign-in settings (authProviderType) are not taken over',
  timeout: 'its time limit (timeout) is not taken over: see panel.calls.timeoutMs',
  sandboxEnabled: 'it is not run in a sandbox here',
  sandbox: 'it is not run in a sandbox here',
  tools: 'its choice of tools (tools) is not taken over',
  disabledTools: 'its choice of tools (disabledTools) is not taken over',
  includeTools: 'its choice of tools (includeTools) is not taken over',
  excludeTools: 'its choice of tools (excludeTools) is not taken over',
};

/** Returns one sentence about a key whose loss affects users; none for approvals, descriptions and the like. */
export function describeLoss(key: string, value: unknown): readonly string[] {
  const words = ownValue(lostKeys, key);
  return words === undefined || isEmpty(value) ? [] : [words];
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || (value.length === 1 && value[0] === '*');
  return value === undefined || value === null || value === false || value === '';
}
