import { derTag } from './der.ts';

/** Further tags of X.690 that only writing needs. */
const tags = { boolean: 0x01, octetString: 0x04, utf8String: 0x0c, utcTime: 0x17, generalizedTime: 0x18 };

/** One element of DER (X.690): tag, length in the shortest form, content. */
export function element(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const long = length < 0x80 ? [] : length < 0x100 ? [length] : [length >> 8, length & 0xff];
  if (length > 0xffff) throw new RangeError('the element is too long');
  const head = long.length === 0 ? [tag, length] : [tag, 0x80 | long.length, ...long];
  return Buffer.concat([Buffer.from(head), content]);
}

export const sequenceOf = (...members: readonly Buffer[]) => element(derTag.sequence, Buffer.concat(members));
export const setOf = (...members: readonly Buffer[]) => element(derTag.set, Buffer.concat(members));
/** `bytes` is the number in two's complement without needless bytes in front. */
export const integer = (bytes: Uint8Array) => element(derTag.integer, bytes);
export const truth = element(tags.boolean, Buffer.from([0xff]));
export const octets = (bytes: Uint8Array) => element(tags.octetString, bytes);
export const bits = (bytes: Uint8Array, unused = 0) =>
  element(derTag.bitString, Buffer.concat([Buffer.from([unused]), bytes]));
export const utf8 = (text: string) => element(tags.utf8String, Buffer.from(text));
/** Context-specific and constructed: `[number]` with explicit tagging. */
export const explicit = (number: number, content: Buffer) => element(0xa0 | number, content);

/** From its form with dots. */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(derTag.objectIdentifier, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

function base128(arc: number): number[] {
  const bytes = [arc & 0x7f];
  for (let left = arc >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** A time in whole seconds: with two digits for the year before 2050, with four from then on (RFC 5280). */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  return at.getUTCFullYear() < 2050
    ? element(tags.utcTime, Buffer.from(digits.slice(2)))
    : element(tags.generalizedTime, Buffer.from(digits));
}
