import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../base/kube-object.ts';
import { encodeProtobuf } from '../../schema/protobuf/protobuf.ts';
import { UnreadableError } from '../store.ts';
import { anyForm, encodeValue, lineOf, type StoredForms, textOf } from './value-format.ts';

const configMap = (more: object = {}): KubeObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', namespace: 'b', resourceVersion: '5', ...more },
  data: { key: '"resourceVersion": {' },
});

/** As a server reads what it finds in etcd at revision 9. */
const read = (bytes: Buffer | string, forms: StoredForms = anyForm) =>
  lineOf('k', Buffer.from(bytes), 9, forms).toString();

describe('a value in etcd', () => {
  it('is the object without a version, as one line of JSON, and is read with etcd’s', () => {
    const bytes = encodeValue(configMap(), 'application/json');
    expect(bytes.toString()).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"b"},"data":{"key":"\\"resourceVersion\\": {"}}\n',
    );
    expect(read(bytes)).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"b","resourceVersion":"9"},"data":{"key":"\\"resourceVersion\\": {"}}\n',
    );
  });

  it('can be protobuf with its envelope, where the kind has a message', () => {
    const bytes = encodeValue(configMap(), 'application/vnd.kubernetes.protobuf');
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('k8s\0');
    expect(JSON.parse(read(bytes))).toEqual(configMap({ resourceVersion: '9' }));
    const custom = { kind: 'Thing', apiVersion: 'example.com/v1', metadata: { name: 'a' } };
    expect(encodeValue(custom, 'application/vnd.kubernetes.protobuf').toString()).toBe(`${JSON.stringify(custom)}\n`);
  });

  it('is protobuf where etcd would find it too large as JSON, if it can be', () => {
    const quotes = { data: { key: '"'.repeat(900_000) } };
    const bytes = encodeValue({ ...configMap(), ...quotes }, 'application/json');
    expect(bytes.length).toBeLessThan(1_000_000);
    expect(JSON.parse(read(bytes))).toEqual({ ...configMap({ resourceVersion: '9' }), ...quotes });
    const custom = { kind: 'Thing', apiVersion: 'example.com/v1', metadata: { name: 'a' }, ...quotes };
    expect(encodeValue(custom, 'application/json').toString()).toBe(`${JSON.stringify(custom)}\n`);
  });

  it.each([
    ['whatever the order of its members', '{"apiVersion":"v1","data":{},"kind":"T","metadata":{"name":"a"}}'],
    ['with a version in it', '{"kind":"T","apiVersion":"v1","metadata":{"resourceVersion":"3","name":"a"}}'],
    ['with empty metadata', '{"kind":"T","apiVersion":"v1","metadata":{},"spec":{"metadata":{"resourceVersion":"1"}}}'],
    ['with no line end', '{"kind":"T","apiVersion":"v1","metadata":{"name":"a"},"spec":{}}'],
    ['with spaces', '{ "kind": "T", "apiVersion": "v1", "metadata": { "name": "a" } }\n'],
    [
      'with metadata below others first',
      '{"kind":"T","apiVersion":"v1","spec":{"metadata":{"a":1}},"metadata":{"name":"a"}}',
    ],
  ])('is read %s', (_title, text) => {
    const { metadata, ...rest } = JSON.parse(text);
    const object = JSON.parse(read(text));
    expect(object).toEqual({ ...rest, metadata: { ...metadata, resourceVersion: '9' } });
    expect(read(text).endsWith('}\n')).toBe(true);
  });

  it('is read as it was written, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (meta, rest) => {
          const { resourceVersion: _version, ...metadata } = meta;
          const value = { ...rest, kind: 'T', apiVersion: 'v1', metadata } as KubeObject;
          const bytes = encodeValue(value, 'application/json');
          const line = lineOf('k', bytes, 9, anyForm);
          const expected = JSON.parse(JSON.stringify({ ...value, metadata: { ...metadata, resourceVersion: '9' } }));
          expect(JSON.parse(line.toString())).toEqual(expected);
          expect([undefined, line.toString().trimEnd()]).toContain(textOf('k', bytes, 9, anyForm));
        },
      ),
    );
  });

  it.each([
    ['of a few letters', { text: 'x' }, true],
    ['with other letters', { text: 'é' }, false],
    ['that is long', { text: 'x'.repeat(17_000) }, false],
  ])('that was made here %s is text at once, or not', (_title, data, isText) => {
    const bytes = encodeValue({ ...configMap(), data }, 'application/json');
    expect(textOf('k', bytes, 9, anyForm)).toBe(isText ? read(bytes).trimEnd() : undefined);
    expect(textOf('k', bytes, 9, { ...anyForm, apiVersionOf: () => 'v2' })).toBeUndefined();
  });

  it('becomes the version that is stored', () => {
    const forms: StoredForms = {
      apiVersionOf: () => 'v2',
      adopt: (_key, object) => ({ ...object, apiVersion: 'v2', converted: true }),
      expect: () => {},
    };
    const old = '{"kind":"T","apiVersion":"v1","metadata":{"name":"a"}}';
    expect(JSON.parse(read(old, forms))).toMatchObject({ apiVersion: 'v2', converted: true });
    expect(JSON.parse(read(old.replace('v1', 'v2'), forms))).not.toHaveProperty('converted');
  });

  it('is text, whatever bytes were written', () => {
    const bytes = Buffer.from('{"kind":"T","apiVersion":"v1","metadata":{"name":"a"},"data":{"x":"\u00ff"}}', 'latin1');
    expect(JSON.parse(read(bytes))).toMatchObject({ data: { x: '\ufffd' } });
    expect(isUtf8(lineOf('k', bytes, 9, anyForm))).toBe(true);
  });

  it('keeps integers that a double does not hold', () => {
    expect(
      read('{"kind":"T","apiVersion":"v1","metadata":{"resourceVersion":"1"},"n":12345678901234567890}'),
    ).toContain('"n":12345678901234567890');
  });

  it.each([
    ['k8s:enc:aescbc:v1:key1:\u0001\u0002', 'k is encrypted at rest (aescbc)'],
    ['', 'k cannot be read'],
    ['{"kind":"T"', 'k cannot be read'],
    ['{"kind":"T","apiVersion":"v1","metadata":{"name":"a"},"data":{"x":"bro', 'k cannot be read'],
    ['{"kind":"T","apiVersion":"v1","metadata":{"name":"a"}}}', 'k cannot be read'],
    ['{"kind":"T","apiVersion":"v1"}', 'k cannot be read: it is no object'],
    ['null', 'k cannot be read: it is no object'],
    ['k8s\0nonsense', 'k cannot be read'],
    [encodeProtobuf(configMap()).subarray(0, 30), 'k cannot be read'],
  ])('%j is refused, and its key named', (bytes, message) => {
    expect(() => read(bytes)).toThrow(UnreadableError);
    expect(() => read(bytes)).toThrow(message);
  });
});
