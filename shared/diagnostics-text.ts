import type { DiagnosticsSection } from './diagnostics.ts';

/** Chosen sections as one text in Markdown, as it is copied and saved. */
export function diagnosticsText(at: number, sections: readonly DiagnosticsSection[]): string {
  const head = `# Diagnostics of MCP Control Panel, ${new Date(at).toISOString()}\n\nSecrets of the configuration are blacked out.\n`;
  return [head, ...sections.map(sectionText)].join('\n');
}

const sectionText = ({ title, text }: DiagnosticsSection) => {
  // A fence longer than any in the text, so that nothing in a log ends the block.
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `## ${title}\n\n${fence}\n${text}\n${fence}\n`;
};
