/** What would change Electron, Node.js or the tests' own framework within the app. */
const NOT_INHERITED = /^(ELECTRON_|NODE_OPTIONS$|NODE_ENV$|VITEST)/;

/** Environment of whoever tests, without what is not inherited. */
export const inheritedEnvironment = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name))) as Record<
    string,
    string
  >;

/** Environment of an app under test with its files in `home`: that of whoever tests, and what is given. */
export function appEnvironment(
  home: string,
  ...given: readonly Readonly<Record<string, string>>[]
): Record<string, string> {
  const own = {
    MCP_CONTROL_PANEL_HOME: home,
    MCP_CONTROL_PANEL_TEST: '1',
    // The bus is disabled so that no icon appears in the tray of whoever runs the tests.
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
  };
  return Object.assign(inheritedEnvironment(), own, ...given) as Record<string, string>;
}
