/**
 * Decides whether the panel asks the user about definitions that another program wrote to servers.json. Tests change
 * servers.json all the time, so in a test the panel agrees automatically, unless the test specifies otherwise. @param mayBeTest
 * false in a release, where no environment variable can turn the questions off
 */
export function consentMode(
  environment: Readonly<Record<string, string | undefined>>,
  mayBeTest: boolean,
): 'ask' | 'agree' {
  const { MCP_CONTROL_PANEL_CONSENT: said, MCP_CONTROL_PANEL_TEST: isTest } = environment;
  if (!mayBeTest) return 'ask';
  return said === 'agree' || (isTest === '1' && said !== 'ask') ? 'agree' : 'ask';
}
