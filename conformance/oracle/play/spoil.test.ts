import { describe, expect, it } from 'vitest';
import { configMapBytes, laterFields, readEnvelope, writeEnvelope } from '../../verbs/protobuf.ts';
import { readWire } from '../compare/wire.ts';
import { type Spoiling, spoilt } from './spoil.ts';

/** Its fields in order: 0 the metadata, 1 the name within, 2 the data, 3 the key within, 4 the value. */
const raw = configMapBytes('some', { key: 'value' });
const object = writeEnvelope({ apiVersion: 'v1', kind: 'ConfigMap', raw });

const treeOf = (spoiling: Spoiling): unknown => readWire(readEnvelope(spoilt(object, spoiling)).raw);
const [metadata, data] = [{ 1: ['some'] }, { 1: ['key'], 2: ['value'] }];

describe('one field is spoilt, and all around it fits', () => {
  it.each<[string, Spoiling, unknown]>([
    ['the first is gone', { field: 0, becomes: 'gone' }, { 2: [data] }],
    ['a deep one is gone', { field: 3, becomes: 'gone' }, { 1: [metadata], 2: [{ 2: ['value'] }] }],
    ['one comes twice', { field: 1, becomes: 'twice' }, { 1: [{ 1: ['some', 'some'] }], 2: [data] }],
    ['one says nothing', { field: 4, becomes: 'emptied' }, { 1: [metadata], 2: [{ 1: ['key'], 2: [''] }] }],
    ['a tag takes a byte more', { field: 2, becomes: 'with a long tag' }, { 1: [metadata], 2: [data] }],
    ['there is none at that place', { field: 5, becomes: 'gone' }, { 1: [metadata], 2: [data] }],
  ])('%s', (_, spoiling, tree) => {
    expect(treeOf(spoiling)).toEqual(tree);
  });

  it('a length reaches beyond what is there', () => {
    expect(treeOf({ field: 2, becomes: 'one too long' })).toBeUndefined();
  });
});

describe('all of it is spoilt', () => {
  it('ends a byte too early, in an envelope that fits', () => {
    expect(readEnvelope(spoilt(object, { becomes: 'all but a byte' })).raw).toEqual(raw.subarray(0, -1));
  });

  it('has a field that nobody knows', () => {
    const { raw: more } = readEnvelope(spoilt(object, { becomes: 'unknown number' }));
    expect(more.subarray(0, raw.length)).toEqual(raw);
    expect(more.length - raw.length).toBeLessThan(laterFields.length);
  });

  it('is in an envelope that names no kind, or in none', () => {
    expect(readEnvelope(spoilt(object, { becomes: 'no kind' }))).toMatchObject({ apiVersion: 'v1', kind: '', raw });
    expect(spoilt(object, { becomes: 'no envelope' })).toEqual(raw);
  });
});

it('what is no protobuf stays as it is', () => {
  const text = Buffer.from('{"kind":"Status"}');
  expect(spoilt(text, { becomes: 'half of it' })).toBe(text);
});
