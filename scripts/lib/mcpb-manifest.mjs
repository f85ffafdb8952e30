/**
 * Returns the manifest of the MCP bundle that contains the bridge: a program with which an MCP host reaches one server of the
 * panel. Hosts that install MCP bundles bring their own Node to run it.
 * @param {{ name: string, productName: string, version: string, description: string, license: string, author: string }} about
 */
export function bridgeManifest({ name, productName, version, description, license, author }) {
  return {
    manifest_version: '0.3',
    name,
    display_name: productName,
    version,
    description: `Connects one server of ${productName}. ${description}`,
    author: { name: author },
    license,
    server: {
      type: 'node',
      entry_point: 'bridge.cjs',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/bridge.cjs', 'connect', '${user_config.server}'],
        env: { MCP_CONTROL_PANEL_TOKEN: '${user_config.token}' },
      },
    },
    user_config: {
      server: {
        type: 'string',
        title: 'Server',
        description: 'Name of the server as the panel shows it',
        required: true,
      },
      token: {
        type: 'string',
        title: 'Token',
        description: 'Token of a client that you have made under Clients in the panel',
        sensitive: true,
        required: true,
      },
    },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=18.0.0' } },
  };
}
