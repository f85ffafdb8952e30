/**
 * Decides whether the user is asked about definitions from outside. Tests change servers.json all the time, so they agree
 * automatically, unless they specify otherwise. @param mayBeTest false for a release, which no variable changes
 */
export function consentMode(
  environment: Readonly<Record<string, string | undefined>>,
  mayBeTest: boolean,
): 'ask' | 'agree' {
  const { MCP_CONTROL_PANEL_CONSENT: said, MCP_CONTROL_PANEL_TEST: isTest } = environment;
  if (!mayBeTest) return 'ask';
  return said === 'agree' || (isTest === '1' && said !== 'ask') ? 'agree' : 'ask';
}
