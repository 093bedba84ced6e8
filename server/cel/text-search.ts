/**
 * Where a text stands in another. The search that the language has takes for some texts a time in proportion to both
 * their lengths, and for long ones nobody can wait for that: those are searched in the manner of Knuth, Morris and Pratt.
 */

/** Characters up to which a text is searched for as the language does it. */
const short = 64;

/** For each beginning of a text the length of the longest shorter one that it ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let border = 0;
  for (let at = 1; at < text.length; at++) {
    const next = text.charCodeAt(at);
    while (border > 0 && text.charCodeAt(border) !== next) border = borders[border - 1] as number;
    if (text.charCodeAt(border) === next) border++;
    borders[at] = border;
  }
  return borders;
}

/** All places, from the first; they may overlap. */
function* places(text: string, wanted: string): Generator<number> {
  const borders = bordersOf(wanted);
  let found = 0;
  for (let at = 0; at < text.length; at++) {
    const next = text.charCodeAt(at);
    while (found > 0 && wanted.charCodeAt(found) !== next) found = borders[found - 1] as number;
    if (wanted.charCodeAt(found) === next) found++;
    if (found < wanted.length) continue;
    yield at + 1 - found;
    found = borders[found - 1] as number;
  }
}

/** As `text.indexOf(wanted)`. */
export function firstPlace(text: string, wanted: string): number {
  if (wanted.length <= short) return text.indexOf(wanted);
  return places(text, wanted).next().value ?? -1;
}

/** As `text.lastIndexOf(wanted, most)`. */
export function lastPlace(text: string, wanted: string, most = text.length): number {
  if (wanted.length <= short) return text.lastIndexOf(wanted, most);
  let last = -1;
  for (const place of places(text, wanted)) if (place <= most) last = place;
  return last;
}

/** As `text.split(by)`. */
export function piecesOf(text: string, by: string): string[] {
  if (by.length <= short) return text.split(by);
  const pieces: string[] = [];
  let from = 0;
  for (const place of places(text, by)) {
    if (place < from) continue;
    pieces.push(text.slice(from, place));
    from = place + by.length;
  }
  return [...pieces, text.slice(from)];
}
