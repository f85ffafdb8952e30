import { shellLines } from './shell-lines.ts';

const CAN_BE_PASTED =
  'What can be pasted: the configuration of a client (JSON, TOML or YAML), a command such as npx -y <package>, an address, an install link, the name of a package.';

/** Describes a text without servers, without quoting it because it may be secret, and what could be pasted. */
export const whatItIs = (text: string): string =>
  `No server is named in ${seenIn(text.trim())}. ${CAN_BE_PASTED}`;

function seenIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (/^\s*<(?:!doctype|html|\w+[\s>])/i.test(text)) return 'this piece of a web page';
  if (lines.every((line) => /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=/.test(line))) return 'these variables';
  if (/^[ \t]*(?:import|from|const|let|var|def|class|function|async)\s/m.test(text) && /[;:{}()]/.test(text))
    return 'this program text';
  if (!/\s/.test(text)) return 'this single word';
  if (
    shellLines(text).some(
      ({ hasPrompt, words }) => hasPrompt || /^(?:npm|pip3?|git|cd|docker|uv|brew)$/.test(words[0] ?? ''),
    )
  )
    return 'these commands, which fetch or build something';
  return lines.length === 1 ? 'this line' : 'this text';
}
