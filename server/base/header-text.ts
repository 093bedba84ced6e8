/** Beyond ASCII a header's bytes arrive as one character each; people and groups are named in UTF-8. */
const beyondAscii = /[\u0080-\u00ff]/;

/** The text of a header value as its sender meant it. */
export const headerText = (value: string): string =>
  beyondAscii.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;

/**
 * The key that the end of an extra header's name stands for: in lower case, percent-decoded. With one malformed
 * escape the whole stays as it is.
 */
export function extraKey(ending: string): string {
  const lower = ending.toLowerCase();
  if (!lower.includes('%') || /%(?![0-9a-f]{2})/.test(lower)) return lower;
  const bytes = lower.replace(/%([0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
