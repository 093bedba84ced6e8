import { expect, test } from 'vitest';
import { configMapBytes, hasMagic, readEnvelope, writeEnvelope } from './protobuf.ts';

test('an envelope is read as it was written', () => {
  const raw = configMapBytes('a', { b: 'c' });
  const bytes = writeEnvelope({ apiVersion: 'v1', kind: 'ConfigMap', raw, contentType: 'x/y', contentEncoding: '' });
  expect(hasMagic(bytes)).toBe(true);
  expect(readEnvelope(bytes)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    raw,
    contentType: 'x/y',
    contentEncoding: '',
  });
});

test('what does not begin like one is none', () => {
  expect(hasMagic(Buffer.from('{}'))).toBe(false);
  expect(() => readEnvelope(Buffer.from('{}'))).toThrow(TypeError);
});

test('a field of another number is passed over', () => {
  const bytes = Buffer.concat([
    writeEnvelope({ apiVersion: 'v1', kind: 'K', raw: Buffer.from([1]) }),
    Buffer.from([0x38, 7]),
  ]);
  expect(readEnvelope(bytes)).toMatchObject({ kind: 'K', raw: Buffer.from([1]) });
});
