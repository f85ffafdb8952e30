/** The last part of a path in lower case, without the suffixes by which Windows finds programs. */
export function programName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/, '');
}
