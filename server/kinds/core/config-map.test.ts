import { describe } from 'vitest';
import { creations, updates } from '../write-tables.fixture.ts';
import { configMap } from './config-map.ts';

const mebibyte = 1_048_576;

describe('ConfigMap', () => {
  creations(configMap, [
    ['nothing', {}, []],
    ['good keys', { data: { 'a.b_c-D': 'x' }, binaryData: { b: 'AA==' } }, []],
    ['a key in both', { data: { same: 'x' }, binaryData: { same: 'AA==' } }, ['data[same] Invalid']],
    ['bad keys', { data: { 'a b': '', '..x': '' } }, ['data[a b] Invalid', 'data[..x] Invalid']],
    ['as much as fits', { data: { a: 'x'.repeat(mebibyte) } }, []],
    ['too much in all', { data: { a: 'x'.repeat(mebibyte) }, binaryData: { b: 'AA==' } }, ['[] TooLong']],
    ['names that objects have anyway', { data: { constructor: 'x', toString: 'y' } }, []],
  ]);
  const frozen = { immutable: true, data: { a: '1' } };
  updates(configMap, [
    ['data', { data: { a: '1' } }, (next) => Object.assign(next, { data: { a: '2' } }), []],
    ['made immutable', { data: { a: '1' } }, (next) => Object.assign(next, { immutable: true }), []],
    ['labels of an immutable one', frozen, (next) => Object.assign(next.metadata, { labels: { a: 'b' } }), []],
    ['data of an immutable one', frozen, (next) => Object.assign(next, { data: { a: '2' } }), ['data Forbidden']],
    ['the flag taken away', frozen, (next) => Reflect.deleteProperty(next, 'immutable'), ['immutable Forbidden']],
  ]);
});
