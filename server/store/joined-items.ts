import type { Stored } from './store.ts';

/** `{"kind":"`, and `","apiVersion":"` with the quote before it. */
const kindStart = 9;
const betweenNames = 16;
const quote = 0x22;

/**
 * Where the members after `kind` and `apiVersion` begin in `bytes`. A list of a built-in kind shows its items without
 * these two: `{` and then everything from here on. Both are plain names, without quotes in them.
 */
export function itemStart({ line }: Pick<Stored, 'line'>): number {
  let at = kindStart;
  while (line[at] !== quote) at++;
  at += betweenNames;
  while (line[at] !== quote) at++;
  return at + 2;
}

/** As `itemStart`, where the item is held as text. */
function textStart(text: string): number {
  const afterKind = text.indexOf('"', kindStart) + betweenNames;
  return text.indexOf('"', afterKind) + 2;
}

const comma = 0x2c;
const brace = 0x7b;

/** How a list is written around its items. */
export interface ListFrame {
  readonly head: string;
  readonly tail: string;
  /** Leaves out kind and apiVersion of the items. */
  readonly bare: boolean;
}

/**
 * How many bytes the items take with the commas between them, as `joinItems` writes them. Those that are held as text
 * stay so: bytes are made of them piece by piece.
 */
export function joinedLength(items: readonly Stored[], bare: boolean): number {
  let length = Math.max(0, items.length - 1);
  for (const item of items) {
    const { text } = item;
    if (text !== undefined) length += text.length - (bare ? textStart(text) - 1 : 0);
    else length += item.line.length - 1 - (bare ? itemStart(item) - 1 : 0);
  }
  return length;
}

/**
 * The items of a list joined by commas in one buffer, each copied once and none encoded again. `allocate` gives a buffer
 * of at least so many bytes, of which a part may be left over.
 */
export function joinItems(
  items: readonly Stored[],
  { head, tail, bare }: ListFrame,
  allocate: (size: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  let size = Buffer.byteLength(head) + Buffer.byteLength(tail);
  for (const { line } of items) size += line.length + 1;
  const target = allocate(size);
  let at = target.write(head);
  let first = true;
  for (const item of items) {
    if (!first) target[at++] = comma;
    first = false;
    if (bare) target[at++] = brace;
    const { line } = item;
    at += line.copy(target, at, bare ? itemStart(item) : 0, line.length - 1);
  }
  at += target.write(tail, at);
  return target.subarray(0, at);
}
