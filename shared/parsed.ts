/** Returns the value of a JSON text; undefined if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the URL of an absolute address, or undefined. The oldest supported runtime lacks `URL.parse`, so it is not used. */
export function parsedUrl(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
