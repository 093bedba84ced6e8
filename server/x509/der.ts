/** One element of DER (X.690). `bytes` is the whole element, `content` what it holds; both are views. */
export interface DerElement {
  readonly tag: number;
  readonly bytes: Buffer;
  readonly content: Buffer;
}

export const derTag = { integer: 0x02, bitString: 0x03, objectIdentifier: 0x06, sequence: 0x30, set: 0x31 } as const;

/** The element at the beginning; undefined when there is none or it runs over the end. */
export function firstElement(bytes: Buffer): DerElement | undefined {
  const tag = bytes[0];
  const short = bytes[1];
  if (tag === undefined || short === undefined || (tag & 0x1f) === 0x1f) return undefined;
  const lengthBytes = short < 0x80 ? 0 : short & 0x7f;
  const start = 2 + lengthBytes;
  if (short === 0x80 || lengthBytes > 4 || bytes.length < start) return undefined;
  const length = lengthBytes === 0 ? short : bytes.readUIntBE(2, lengthBytes);
  const end = start + length;
  return end > bytes.length ? undefined : { tag, bytes: bytes.subarray(0, end), content: bytes.subarray(start, end) };
}

/** All elements one after another; undefined when anything else is among them. */
export function allElements(bytes: Buffer): DerElement[] | undefined {
  const found: DerElement[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const next = firstElement(rest);
    if (!next) return undefined;
    found.push(next);
    rest = rest.subarray(next.bytes.length);
  }
  return found;
}

/** The members of a SEQUENCE or SET; undefined when it is something else or broken. */
export const membersOf = (element: DerElement | undefined, tag: number): DerElement[] | undefined =>
  element?.tag === tag ? allElements(element.content) : undefined;

/** An OBJECT IDENTIFIER with dots; empty when it is none. */
export function objectIdentifier(element: DerElement | undefined): string {
  if (element?.tag !== derTag.objectIdentifier || element.content.length === 0 || element.content.length > 64)
    return '';
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of element.content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    if (arcs.length > 0) arcs.push(arc);
    else arcs.push(Math.min(Math.trunc(arc / 40), 2), arc - 40 * Math.min(Math.trunc(arc / 40), 2));
    arc = 0;
  }
  return arcs.join('.');
}
