/** `file:12` or `file:12:3` alone on its line: Node's form for the place of an error, with the source below it. */
const PLACE = /^(?:file:\/\/|node:|\/|[A-Za-z]:[\\/]|\[?eval\]?|internal\/).*:\d+(?::\d+)?$/;
const CARETS = /^[\s|]*[\^~][\s^~]*$/;
/**
 * Maximum lines from the place of an error to the carets under the source line; messages of parsers take one or two more than
 * others.
 */
const LONGEST_ECHO = 6;

const PYTHON_FRAME = /^(\s*)File "[^"]*", line \d+/;

/** Removes the source code that runtimes print with an error, because "throw new Error" in it is no message. */
export function withoutEchoedSource(lines: readonly string[]): readonly string[] {
  return withoutPythonFrames(withoutNodePlaces(lines));
}

function withoutNodePlaces(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (!PLACE.test(line)) kept.push(line);
    else {
      const echo = lines.slice(index + 1, index + 1 + LONGEST_ECHO).findIndex((next) => CARETS.test(next));
      index += echo + 1;
    }
  }
  return kept;
}

/** Removes each frame and the lines indented deeper: source line, carets, notes. */
function withoutPythonFrames(lines: readonly string[]): readonly string[] {
  let frameIndent: number | undefined;
  return lines.filter((line) => {
    const frame = PYTHON_FRAME.exec(line);
    if (frame) {
      frameIndent = frame[1]!.length;
      return false;
    }
    if (frameIndent === undefined) return true;
    if (line.search(/\S/) > frameIndent) return false;
    frameIndent = undefined;
    return true;
  });
}
