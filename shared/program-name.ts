/** Returns the last part of a program's path in lower case, without the extensions that Windows adds to find programs. */
export function programName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/, '');
}
