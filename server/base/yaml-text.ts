import { createRequire } from 'node:module';

/**
 * A configuration file in YAML, of which JSON is a part, as plain values. The parser is loaded when the first file is
 * read: most servers have none. @throws Error with the line of the mistake
 */
export function parseYaml(text: string): unknown {
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  return parse(text);
}
