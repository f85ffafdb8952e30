/**
 * Returns the last part of a program's path in lower case, without the file extensions that Windows adds when it looks up
 * programs.
 */
export function programName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/, '');
}
