import protobuf from 'protobufjs/minimal.js';
import { expect, it } from 'vitest';
import { ProtobufMistake, skipField } from './skip.ts';

const fieldAnd = (wire: number, ...content: number[]): number[] => [8 + wire, ...content];
const [begins, ends] = [fieldAnd(3), fieldAnd(4)];

/** Where a reader stands once a field is passed over, with one byte behind it. */
function skipped(bytes: readonly number[]): number {
  const reader = protobuf.Reader.create(Uint8Array.from([...bytes, 8]));
  skipField(reader, reader.uint32());
  return reader.pos;
}

it.each([
  ['a number', fieldAnd(0, 0x96, 1)],
  ['eight bytes', fieldAnd(1, ...Array(8).fill(1))],
  ['a text', fieldAnd(2, 2, 0x61, 0x62)],
  ['four bytes', fieldAnd(5, ...Array(4).fill(1))],
  ['an empty group', [...begins, ...ends]],
  ['a group with fields and groups in it', [...begins, ...fieldAnd(2, 1, 0x0c), ...begins, ...ends, ...ends]],
  ['a deep group', [...Array(10_000).fill(begins[0]), ...Array(10_000).fill(ends[0])]],
])('passes over %s', (_, bytes) => {
  expect(skipped(bytes)).toBe(bytes.length);
});

it.each([
  ['a field of number 0', [0, 1]],
  ['a group that has not begun', ends],
])('refuses %s', (_, bytes) => {
  expect(() => skipped(bytes)).toThrow(ProtobufMistake);
});

it.each([
  ['a group that does not end', [...begins, ...begins, ...ends]],
  ['a text that is too short', fieldAnd(2, 9, 0x61)],
])('refuses %s', (_, bytes) => {
  expect(() => skipped(bytes)).toThrow();
});

it('refuses a wire type that there is not', () => {
  expect(() => skipped(fieldAnd(7))).toThrow('invalid wire type');
});
