/**
 * Whether definitions from outside are asked about. Tests change servers.json all the time, so they agree by themselves, unless
 * they say otherwise. @param mayBeTest false for a release, which no variable changes
 */
export function consentMode(
  environment: Readonly<Record<string, string | undefined>>,
  mayBeTest: boolean,
): 'ask' | 'agree' {
  const { MCP_CONTROL_PANEL_CONSENT: said, MCP_CONTROL_PANEL_TEST: isTest } = environment;
  if (!mayBeTest) return 'ask';
  return said === 'agree' || (isTest === '1' && said !== 'ask') ? 'agree' : 'ask';
}
