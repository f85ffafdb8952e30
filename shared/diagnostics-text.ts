import type { DiagnosticsSection } from './diagnostics.ts';

/** Returns the chosen sections as one Markdown text, which is copied or saved. */
export function diagnosticsText(at: number, sections: readonly DiagnosticsSection[]): string {
  const head = `# Diagnostics of MCP Control Panel, ${new Date(at).toISOString()}\n\nSecrets of the configuration are redacted.\n`;
  return [head, ...sections.map(sectionText)].join('\n');
}

const sectionText = ({ title, text }: DiagnosticsSection) => {
  // The fence is longer than any in the text, so that nothing in a log can end the block.
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `## ${title}\n\n${fence}\n${text}\n${fence}\n`;
};
