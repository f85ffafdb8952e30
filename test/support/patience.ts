/**
 * Factor for the deadlines of conditions. Under wine each start of a process takes most of a second, and three on a
 * busy machine. A generous deadline costs nothing, because it only ends waits that would fail.
 */
export const patience = process.env['MCP_CONTROL_PANEL_UNDER_WINE'] === undefined ? 1 : 4;
