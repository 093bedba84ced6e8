/** More different warnings than these are forgotten, and told again. */
const most = 1_000;

/** Told of the Warning header of every answer that has one; tells each text that is new to it. */
export function tellWarnings(tell: (text: string) => void): (header: string) => void {
  const told = new Set<string>();
  return (header) => {
    for (const text of warningsIn(header)) {
      if (told.has(text)) continue;
      if (told.size >= most) told.clear();
      told.add(text);
      tell(text);
    }
  };
}

/** The texts of a Warning header (RFC 7234, section 5.5), of which several may have become one. */
const warningsIn = (header: string): string[] =>
  [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
