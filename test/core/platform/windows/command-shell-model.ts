/**
 * What the program behind a batch file gets, by the published rules of cmd.exe and of Microsoft's C runtime; throws where
 * anything of the line would be read as a second command, a redirection or a variable.
 * @param line behind `/s /c`
 * @param variables of the environment, in upper case
 */
export function argumentsBehindBatch(line: string, variables: Readonly<Record<string, string>>): string[] {
  if (!line.startsWith('"') || !line.endsWith('"')) throw new Error('/s takes off one quote at each end');
  const [file, rest] = split(readByShell(withVariables(line.slice(1, -1), variables)));
  // The batch file says: "probe.exe" %*
  const [, ...args] = argumentsOf(readByShell(`"probe.exe" ${rest}`));
  return [file.replaceAll('"', ''), ...args];
}

/** Replaces variables as on a command line: a `%` that begins no name of a variable stays, and the next character is looked at. */
function withVariables(line: string, variables: Readonly<Record<string, string>>): string {
  let text = '';
  for (let at = 0; at < line.length; at += 1) {
    const end = line[at] === '%' ? line.indexOf('%', at + 1) : -1;
    const name = end === -1 ? '' : line.slice(at + 1, end);
    const value = valueOf(name, variables);
    text += value ?? line[at];
    if (value !== undefined) at = end;
  }
  return text;
}

/** `%cd:~,%` is the part of the working folder from its beginning, zero characters long. */
function valueOf(name: string, variables: Readonly<Record<string, string>>): string | undefined {
  return name.toLowerCase() === 'cd:~,' ? '' : variables[name.toUpperCase()];
}

/** One reading of the shell: quotes switch the meaning of what is special off and on, and stay. */
function readByShell(line: string): string {
  let isQuoted = false;
  let text = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (character === '\n' || character === '\r') throw new Error('the line ends here');
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && '&|<>()'.includes(character)) throw new Error(`${character} at ${at} of ${line}`);
    else if (!isQuoted && character === '^') at += 1;
    text += line[at] ?? '';
  }
  return text;
}

/** The first word, quotes included, and what is behind it. */
function split(line: string): readonly [string, string] {
  const [first = ''] = /^(?:"[^"]*"|[^ ,;=\t])+/.exec(line) ?? [];
  return [first, line.slice(first.length)];
}

/** Arguments as the C runtime has read them since 2008. */
function argumentsOf(line: string): string[] {
  const args: string[] = [];
  let current: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length;) {
    const [backslashes] = /^\\*/.exec(line.slice(at))!;
    at += backslashes.length;
    const isQuote = line[at] === '"';
    if (backslashes.length > 0)
      current = (current ?? '') + '\\'.repeat(isQuote ? backslashes.length >> 1 : backslashes.length);
    if (isQuote && backslashes.length % 2 === 1) current += '"';
    else if (isQuote && isQuoted && line[at + 1] === '"') {
      current = `${current ?? ''}"`;
      at += 1;
    } else if (isQuote) {
      isQuoted = !isQuoted;
      current ??= '';
    } else if (!isQuoted && (line[at] === ' ' || line[at] === '\t')) {
      if (current !== undefined) args.push(current);
      current = undefined;
    } else current = (current ?? '') + (line[at] ?? '');
    at += 1;
  }
  return current === undefined ? args : [...args, current];
}
