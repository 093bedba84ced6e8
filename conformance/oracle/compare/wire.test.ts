import { Writer } from 'protobufjs/minimal.js';
import { expect, it } from 'vitest';
import { fieldOf } from '../../verbs/protobuf.ts';
import { isMapEntry, readWire, saysEmpty, withoutEmpty } from './wire.ts';

it('reads texts, numbers and messages within messages by their fields', () => {
  const inner = Buffer.concat([fieldOf(1, 'name'), fieldOf(6, '42')]);
  const message = Writer.create().uint32(10).bytes(inner).uint32(16).uint32(7).finish();
  expect(readWire(message)).toEqual({ 1: [{ 1: ['name'], 6: ['42'] }], 2: ['#7'] });
});

it('tells a field that is false from one that is not there', () => {
  expect(readWire(Writer.create().uint32(8).bool(false).finish())).toEqual({ 1: ['#0'] });
  expect(readWire(new Uint8Array())).toEqual({});
});

it('keeps repeated fields in their order, and an empty text', () => {
  expect(readWire(Buffer.concat([fieldOf(3, 'b'), fieldOf(3, ''), fieldOf(3, 'a')]))).toEqual({ 3: ['b', '', 'a'] });
});

it('takes bytes that are neither text nor message as they are', () => {
  expect(
    readWire(
      Writer.create()
        .uint32(10)
        .bytes(Uint8Array.of(0, 1, 255))
        .finish(),
    ),
  ).toEqual({ 1: ['0001ff'] });
});

it('answers nothing for what is cut off', () => {
  expect(readWire(fieldOf(1, 'something').subarray(0, 4))).toBeUndefined();
});

it('tells who writes empty members by the metadata, and takes them out', () => {
  const full = { 1: [{ 1: ['name'], 2: [''], 7: ['#0'] }], 2: [{ 1: [''] }], 3: ['', 'a'] };
  expect(saysEmpty(full)).toBe(true);
  expect(withoutEmpty(full)).toEqual({ 1: [{ 1: ['name'] }], 3: ['a'] });
  expect(saysEmpty({ 1: [{ 1: ['name'] }], 2: [''] })).toBe(false);
  expect(withoutEmpty({ 1: [''] })).toBeUndefined();
});

it('knows the entries of a map by their two fields', () => {
  expect(isMapEntry({ 1: ['key'], 2: ['value'] })).toBe(true);
  expect(isMapEntry({ 1: ['key'] })).toBe(true);
  for (const other of ['key', { 1: ['key'], 3: ['x'] }, { 1: ['one', 'two'] }, { 2: ['value'] }])
    expect(isMapEntry(other)).toBe(false);
});
