/**
 * How many times longer a condition may take before it is given up. Under wine each start of a process takes most of a
 * second, and three on a machine at work; a deadline only ends the waiting for what never comes, so it may be generous.
 */
export const patience = process.env['MCP_CONTROL_PANEL_UNDER_WINE'] === undefined ? 1 : 4;
